import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENVIRONMENT_OPTIONS } from '../../packages/server/src/config/environment-options.ts';
import { buildContext } from './support/build-context.ts';
import { ROOT } from './support/built-image.ts';
import { lastOf, readDockerfile, variablesOf, wordsOf, type Stage } from './support/dockerfile.ts';

const stages = readDockerfile(join(ROOT, 'Dockerfile'));
const manifest: { packageManager: string; scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

function stageAt(index: number): Stage {
  const stage = stages.at(index);
  if (stage === undefined) throw new Error('no such stage');
  return stage;
}

function runsOf({ instructions }: Stage): readonly string[] {
  return instructions.filter(({ name }) => name === 'RUN').map(({ rest }) => rest);
}

describe('the Dockerfile', () => {
  test('the Dockerfile builds in one stage and runs in another', () => {
    expect(stages).toHaveLength(2);
    for (const { image } of stages) expect(image).toMatch(/:(?!latest)/);
    expect(runsOf(stageAt(-1))).toEqual([]);
  });

  test('the Dockerfile builds with the runtime and the commands that the package scripts use', () => {
    const [runtime, install, build] = runsOf(stageAt(0));
    expect(runtime).toBe(`npm install --global --allow-scripts=bun ${manifest.packageManager}`);
    expect(install).toBe(manifest.scripts['prestart']);
    // What follows checks the build, and needs packages that the image does not install.
    expect(build).toBe(manifest.scripts['build']?.split(' && ')[0]);
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    expect(readme).toContain(`npx --yes ${manifest.packageManager} start`);
  });

  test('the image runs the same program as `bun start`', () => {
    expect(wordsOf(lastOf(stageAt(-1), 'ENTRYPOINT'))).toEqual(['bun', '/hearth/hearth.js']);
    expect(wordsOf(lastOf(stageAt(-1), 'CMD'))).toEqual(['start']);
    expect(lastOf(stageAt(-1), 'STOPSIGNAL')).toBe('SIGTERM');
  });

  test('the image runs as an unprivileged user, who owns the data folder', () => {
    const stage = stageAt(-1);
    const user = lastOf(stage, 'USER');
    expect(user).toMatch(/^[1-9]\d+:[1-9]\d+$/);
    const copied = stage.instructions.find(({ rest }) => rest.endsWith(' /data'));
    expect(copied?.flags.get('chown')).toBe(user);
    expect(lastOf(stage, 'VOLUME')).toBe('/data');
  });

  test('the image sets variables that Hearth knows, and exposes the one port that serves everything', () => {
    const variables = variablesOf(stageAt(-1));
    for (const name of Object.keys(variables)) expect(ENVIRONMENT_OPTIONS).toHaveProperty(name);
    expect(variables).toEqual({ HOST: '0.0.0.0', DATA_DIR: '/data' });
    expect(lastOf(stageAt(-1), 'EXPOSE')).toBe(`${ENVIRONMENT_OPTIONS.WEB_PORT.fallback}`);
  });

  test('the build context has all that the build needs, and is without tests, data and secrets', () => {
    const files = buildContext(ROOT);
    for (const file of ['package.json', 'bun.lock', 'deploy/health.ts', 'scripts/build.ts']) {
      expect(files).toContain(file);
    }
    expect(files.filter((file) => /(^|\/)(node_modules|test|dist|data)\//.test(file))).toEqual([]);
    expect(files.filter((file) => /\.test\.ts$|\.env|\.toml$|^\.git\//.test(file))).toEqual([]);
    for (const file of files) expect(existsSync(join(ROOT, file))).toBe(true);
  });
});
