import { expect, test } from 'bun:test';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@hearth/testing/temp-folder';

test('without a failure nothing is repeated', async () => {
  const run = await ciTests({ good: "test('a', () => {}); test('b', () => {});" });
  expect(run).toMatchObject({ exitCode: 0, passed: '2', failed: '0', skipped: '0', told: '' });
  expect(run.printed).not.toContain('again:');
});

test('a file that passes when repeated is told as flaky, with its first failure, and fails nothing', async () => {
  const run = await ciTests({
    good: "test('a', () => {});",
    flaky: `${OFTEN} test('b', () => {}); test('c', () => { if (isFirst()) throw new Error('shy'); });`,
  });
  expect(run).toMatchObject({ exitCode: 0, passed: '3', failed: '0' });
  expect(run.told).toContain('failed in flaky.test.ts: c\n');
  expect(run.told).toContain('error: shy');
  expect(run.told).toContain('flaky: passed when repeated: flaky.test.ts');
});

test('a time-out is told as one, and repeated with more time', async () => {
  const run = await ciTests({
    slow: `${OFTEN} test('waits', async () => { if (isFirst()) await new Promise(() => {}); }, 50);`,
  });
  expect(run).toMatchObject({ exitCode: 0, passed: '1', failed: '0' });
  expect(run.told).toContain('failed in slow.test.ts: waits\n');
  expect(run.told).toContain('this test timed out after 50ms');
});

test('what fails again, fails', async () => {
  const run = await ciTests({
    good: "test('a', () => {});",
    broken: "test('b', () => {}); test('c', () => { throw new Error('always'); });",
  });
  expect(run).toMatchObject({ exitCode: 1, passed: '2', failed: '1' });
  expect(run.told).toContain('failed in broken.test.ts: c\n');
  expect(run.told).toContain('failed again in broken.test.ts: c\n');
  expect(run.told).not.toContain('flaky');
});

test('a failure that the runner names again at its end is one', async () => {
  const run = await ciTests({
    broken: "test('c', () => { throw new Error('always'); });",
    many: 'for (let count = 0; count < 50; count += 1) test(`a ${count}`, () => {});',
  });
  expect(run.printed).toContain('1 tests failed:');
  expect(run).toMatchObject({ exitCode: 1, passed: '50', failed: '1' });
  expect(run.told.split('failed in')).toHaveLength(2);
});

test('a file that cannot be loaded, and one that fails between tests, are failures', async () => {
  const run = await ciTests({
    unloaded: "throw new Error('not loaded');",
    after: "test('a', () => {}); afterAll(() => { throw new Error('not cleaned up'); });",
  });
  expect(run).toMatchObject({ exitCode: 1, passed: '1', failed: '2' });
  expect(run.told).toContain('not loaded');
  expect(run.told).toContain('not cleaned up');
});

test('failures in many files are no flake', async () => {
  const flaky = `${OFTEN} test('a', () => {}); test('b', () => { if (isFirst()) throw new Error('shy'); });`;
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const run = await ciTests(Object.fromEntries(names.map((name) => [name, flaky])));
  expect(run).toMatchObject({ exitCode: 1, passed: '6', failed: '6' });
  expect(run.told).toContain('6 files had failures: none was repeated.');
  expect(run.printed).not.toContain('again:');
});

test('tests that break off fail, and so do no tests', async () => {
  const off = await ciTests({ off: "test('a', () => {}); test('b', () => process.exit(0));" });
  expect(off).toMatchObject({ exitCode: 1, passed: '1', failed: '1' });
  expect(off.told).toContain('did not come to their end; the last file was off.test.ts');
  expect(await ciTests({ none: '' })).toMatchObject({ exitCode: 1, passed: '0' });
});

/** Tells whether the file it is in runs for the first time. */
const OFTEN = `
const { existsSync, writeFileSync } = require('node:fs');
const isFirst = () => !existsSync(import.meta.path + '.ran') && (writeFileSync(import.meta.path + '.ran', ''), true);
`;

test('in parallel, too, a file whose process ends is repeated, and so is one that fails', async () => {
  const files = {
    good: "test('a', () => {});",
    crash: `${OFTEN} test('b', () => {}); test('c', () => { if (isFirst()) process.exit(0); });`,
    flaky: `${OFTEN} test('d', () => { if (isFirst()) throw new Error('shy'); });`,
    unloaded: "throw new Error('not loaded');",
    nowhere: `await import('./broken.mjs');`,
  };
  const run = await ciTests(files, 'echo "throw 1" > broken.mjs; bun test --parallel=2');
  expect(run).toMatchObject({ exitCode: 1, passed: '4', failed: '2' });
  expect(run.told).toContain('failed in crash.test.ts: worker crashed');
  expect(run.told).toContain('flaky: passed when repeated: crash.test.ts');
  expect(run.told).toContain('flaky: passed when repeated: flaky.test.ts');
  expect(run.told).toContain('not loaded');
});

/** Runs what CI runs, over these test files. */
async function ciTests(files: Readonly<Record<string, string>>, command = 'bun test') {
  await using folder = await tempFolder();
  const root = folder.path;
  await writeFile(join(root, 'package.json'), JSON.stringify({ scripts: { test: command } }));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(
      join(root, `${name}.test.ts`),
      `import { afterAll, test } from 'bun:test';\n${text}`,
    );
  }
  const results = join(root, 'results');
  const script = join(import.meta.dir, '../.ci/tests.mjs');
  const child = Bun.spawn([process.execPath, script, results, 'test', process.execPath], {
    cwd: root,
    env: { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [printed, exitCode] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  const read = async (name: string) => (await readFile(join(results, name), 'utf8')).trim();
  return {
    exitCode,
    printed,
    passed: await read('passed'),
    failed: await read('failed'),
    skipped: await read('skipped'),
    told: await read('told'),
  };
}
