import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { consumer, type Consumer } from '@hearth/testing/programs/consumer';
import { run } from '@hearth/testing/programs/runtimes';
import { examples, readme } from './support/readme-examples.ts';

const PACKAGE = join(import.meta.dir, '..');
const ADDRESS = 'http://localhost:7159';

let instance: TestInstance;
let project: Consumer;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  project = await consumer();
  await project.link('@hearth/sdk', PACKAGE);
  for (const name of ['@hearth/protocol', 'ws']) {
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

test.each(examples.filter(({ runs }) => runs).map(({ file, code }) => [file, code] as const))(
  '%s of the README runs to its end',
  async (file) => {
    const ended = await run([process.execPath, join(project.path, file)]);
    expect(ended.stderr).toBe('');
    expect(ended.exitCode).toBe(0);
  },
);
