import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { consumer, type Consumer } from '@hearth/testing/programs/consumer';
import { run } from '@hearth/testing/programs/runtimes';

const PACKAGE = join(import.meta.dir, '..');
const ADDRESS = 'http://localhost:7159';

interface Example {
  readonly file: string;
  readonly code: string;
  readonly runs: boolean;
}

const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
const examples: readonly Example[] = [...readme.matchAll(/^```ts( run)?\n(.*?)^```$/gms)].map(
  ([, runs, code = ''], index) => ({
    file: `example-${index + 1}.ts`,
    code,
    runs: runs !== undefined,
  }),
);

let instance: TestInstance;
let project: Consumer;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  project = await consumer();
  await project.link('@hearth/sdk', PACKAGE);
  for (const name of ['@hearth/protocol', 'ws', '@types/ws']) {
    await project.link(name, join(PACKAGE, 'node_modules', name));
  }
  for (const { file, code } of examples) {
    await project.write(file, code.replaceAll(ADDRESS, instance.addresses.rest));
  }
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await instance[Symbol.asyncDispose]();
});

test('the README has an example of everything', () => {
  expect(examples.length).toBeGreaterThanOrEqual(8);
  expect(examples.filter(({ runs }) => runs).length).toBeGreaterThanOrEqual(6);
  expect(readme.match(/^```\w/gm)?.length).toBe(examples.length);
});

test('every example of the README has the right types', async () => {
  const options = {
    module: 'Preserve',
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
  };
  expect(await project.check(options)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

test.each(examples.filter(({ runs }) => runs).map(({ file, code }) => [file, code] as const))(
  '%s of the README runs to its end',
  async (file) => {
    const ended = await run([process.execPath, join(project.path, file)]);
    expect(ended.stderr).toBe('');
    expect(ended.exitCode).toBe(0);
  },
);
