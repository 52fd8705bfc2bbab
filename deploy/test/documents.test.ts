import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENVIRONMENT_OPTIONS } from '../../packages/server/src/config/environment-options.ts';
import { ROOT } from './support/built-image.ts';
import { readComposeFile } from './support/compose-file.ts';

const PATH = 'docs/operate/scale-out.md';
const text = readFileSync(join(ROOT, PATH), 'utf8');

describe(PATH, () => {
  test('the page links only to files that exist', () => {
    const targets = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(
      ([, target = '']) => target,
    );
    expect(targets.length).toBeGreaterThan(5);
    const missing = targets.filter((target) => !existsSync(join(ROOT, dirname(PATH), target)));
    expect(missing).toEqual([]);
  });

  test('the page sets only variables that Hearth or the Compose file reads', () => {
    const block = /^ {3}DATABASE_URL=[\s\S]*?^ {3}```$/m.exec(text)?.[0] ?? '';
    const names = [...block.matchAll(/^ {3}([A-Z_]+)=/gm)].map(([, name = '']) => name);
    expect(names).toContain('COMPONENTS');
    for (const name of names) expect(ENVIRONMENT_OPTIONS).toHaveProperty(name);
    const secrets = /echo SITE=(\S+)\n\s+for name in ([A-Z_ ]+);/.exec(text);
    const made = (secrets?.[2] ?? '').split(' ').map((name) => [name, 'a1'] as const);
    const variables = { SITE: secrets?.[1] ?? '', ...Object.fromEntries(made) };
    expect(() => readComposeFile(join(ROOT, 'compose.scale.yaml'), variables)).not.toThrow();
  });

  test("the page restarts every one of Hearth's services in the Compose file", () => {
    const named = /^for name in ([\w -]+); do$/m.exec(text)?.[1]?.split(' ') ?? [];
    const secrets = { SITE: 'a', POSTGRES_PASSWORD: 'b', REDIS_PASSWORD: 'c' };
    const { services } = readComposeFile(join(ROOT, 'compose.scale.yaml'), {
      ...secrets,
      AWS_ACCESS_KEY_ID: 'd',
      AWS_SECRET_ACCESS_KEY: 'e',
    });
    const running = Object.keys(services).filter(
      (name) => services[name]?.image === 'hearth' && services[name].profiles === undefined,
    );
    expect(named.toSorted()).toEqual(running.toSorted());
  });

  test('the page names the network of the Compose file', () => {
    const compose = readFileSync(join(ROOT, 'compose.scale.yaml'), 'utf8');
    const subnet = /subnet: (\S+)/.exec(compose)?.[1] ?? 'none';
    expect(text).toContain(`The network of the file is ${subnet}`);
  });
});
