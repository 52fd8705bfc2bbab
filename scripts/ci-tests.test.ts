import { expect, test } from 'bun:test';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@hearth/testing/temp-folder';

test('a run without failures counts its tests and reports nothing', async () => {
  const run = await ciTests({ good: "test('a', () => {}); test('b', () => {});" });
  expect(run).toMatchObject({ exitCode: 0, passed: '2', failed: '0', skipped: '0', report: '' });
});

test('a test that fails once is reported with what it printed, and is not repeated', async () => {
  const run = await ciTests({
    good: "test('a', () => {});",
    shy: `${OFTEN} test('b', () => {}); test('c', () => { if (isFirst()) throw new Error('shy'); });`,
  });
  expect(run).toMatchObject({ exitCode: 1, passed: '2', failed: '1' });
  expect(run.report).toContain('failed in shy.test.ts: c\n');
  expect(run.report).toContain('error: shy');
});

test('a timeout is reported', async () => {
  const run = await ciTests({
    slow: `test('a wait', async () => { await new Promise(() => {}); }, 50);`,
  });
  expect(run).toMatchObject({ exitCode: 1, passed: '0', failed: '1' });
  expect(run.report).toContain('failed in slow.test.ts: a wait\n');
  expect(run.report).toContain('this test timed out after 50ms');
});

test('a failure that the runner lists again at its end counts once', async () => {
  const run = await ciTests({
    broken: "test('c', () => { throw new Error('always'); });",
    many: 'for (let count = 0; count < 50; count += 1) test(`a ${count}`, () => {});',
  });
  expect(run.printed).toContain('1 tests failed:');
  expect(run).toMatchObject({ exitCode: 1, passed: '50', failed: '1' });
  expect(run.report.split('failed in')).toHaveLength(2);
});

test('a file that cannot be loaded and one that fails between tests count as failed', async () => {
  const run = await ciTests({
    unloaded: "throw new Error('not loaded');",
    after: "test('a', () => {}); afterAll(() => { throw new Error('not cleaned up'); });",
  });
  expect(run).toMatchObject({ exitCode: 1, passed: '1', failed: '2' });
  expect(run.report).toContain('not loaded');
  expect(run.report).toContain('not cleaned up');
});

test('a run that ends early fails, and so does one without tests', async () => {
  const off = await ciTests({ off: "test('a', () => {}); test('b', () => process.exit(0));" });
  expect(off).toMatchObject({ exitCode: 1, passed: '1', failed: '1' });
  expect(off.report).toContain('did not come to their end; the last file was off.test.ts');
  expect(await ciTests({ none: '' })).toMatchObject({ exitCode: 1, passed: '0' });
});

/** Defines a check whether its file runs for the first time. */
const OFTEN = `
const { existsSync, writeFileSync } = require('node:fs');
const isFirst = () => !existsSync(import.meta.path + '.ran') && (writeFileSync(import.meta.path + '.ran', ''), true);
`;

test('a file whose process ends, and one that cannot be loaded, count as failed in a parallel run', async () => {
  const files = {
    good: "test('a', () => {});",
    crash: "test('b', () => {}); test('c', () => process.exit(0));",
    unloaded: "throw new Error('not loaded');",
    nowhere: `await import('./broken.mjs');`,
  };
  const run = await ciTests(files, 'echo "throw 1" > broken.mjs; bun test --parallel=2');
  expect(run).toMatchObject({ exitCode: 1, failed: '3' });
  expect(run.report).toContain('failed in crash.test.ts: worker crashed');
  expect(run.report).toContain('not loaded');
});

/** Runs the script of CI on these test files. */
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
    report: await read('report'),
  };
}
