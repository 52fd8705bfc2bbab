import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { writeFile } from 'node:fs/promises';
import { tempFolder } from '@hearth/testing/temp-folder';
import { bunAndNode, deno, isThere, nodeOf, run } from '@hearth/testing/programs/runtimes';

// A runtime may have to be downloaded first.
setDefaultTimeout(300_000);

const runtimes = [...(await bunAndNode(24)), await nodeOf(22), await deno()].filter(isThere);
const program = join(import.meta.dir, 'support', 'round-trip.ts');

let instance: TestInstance;

beforeAll(async () => {
  instance = await startTestInstance();
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
});

test.each([...runtimes])('everything works in $name, and a closed client ends', async (runtime) => {
  const { exitCode, stdout, stderr } = await run([
    ...runtime.command,
    program,
    instance.addresses.rest,
  ]);
  expect(stderr).not.toContain('rror:');
  expect(JSON.parse(stdout)).toEqual({
    connection: { state: 'open', profile: 2, isCurrent: true },
    name: 'Grüße "1".txt',
    spoiler: true,
    reported: 3_000_000,
    part: 'xxx',
    size: 3_000_000,
    isSame: true,
    isInvalid: true,
    isMissing: true,
    reason: 'enough',
    last: { done: true },
  });
  expect(exitCode).toBe(0);
});

test.each(runtimes.filter(({ name }) => name !== 'Deno'))(
  'an upload takes no more memory than a part of the file in $name',
  async (runtime) => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'large');
    await writeFile(file, Buffer.alloc(95_000_000, 'x'));
    const flags = runtime.name === 'Bun' ? [] : ['--expose-gc'];
    const { rest } = instance.addresses;
    const memory = join(import.meta.dir, 'support', 'upload-memory.ts');
    const ended = await run([...runtime.command, ...flags, memory, rest, file]);
    expect(ended.stderr).toBe('');
    const [looks, growthBytes] = ended.stdout.split(' ').map(Number);
    expect(looks).toBeGreaterThan(5);
    // It may also shrink.
    expect(growthBytes).toBeLessThan(60_000_000);
  },
);
