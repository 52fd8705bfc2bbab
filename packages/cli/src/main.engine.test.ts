import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '@hearth/testing/free-ports';
import { linesOf } from '@hearth/testing/line-process';
import { HEARTH } from '@hearth/testing/programs/hearth-process';
import { CommandHere } from '../test/support/command-here.ts';
import { tempFolder, type TempFolder } from '@hearth/testing/temp-folder';

const MAIN = join(import.meta.dirname, 'main.ts');
let folder: TempFolder;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  folder = await tempFolder();
  const [rest, gateway, files] = await freePorts(3);
  env = {
    PATH: process.env['PATH'],
    OPRISH_PORT: String(rest),
    PANDEMONIUM_PORT: String(gateway),
    EFFIS_PORT: String(files),
    WEB_PORT: 'off',
    LOG_LEVEL: 'silent',
  };
  // Creates an empty data folder.
  await hearth(['static', 'add', MAIN]);
  await hearth(['static', 'remove', 'main.ts']);
});

afterAll(() => folder[Symbol.asyncDispose]());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process. */
async function hearth(
  words: readonly string[],
  extraEnv: Record<string, string> = {},
): Promise<Ended> {
  const all = { ...env, ...extraEnv };
  const { exitCode, ...output } = await new CommandHere(words, {
    env: all,
    workingDir: folder.path,
  }).ended;
  return { code: exitCode, ...output };
}

/** Runs it in a process of the program. */
async function program(words: readonly string[]): Promise<Ended> {
  await using child = hearthProcess(words);
  const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map(textOf));
  return { code: await child.exited, stdout: stdout ?? '', stderr: stderr ?? '' };
}

function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

function hearthProcess(words: readonly string[]) {
  return Bun.spawn([...HEARTH, ...words], {
    cwd: folder.path,
    env,
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

test('help and version are printed on standard output', async () => {
  expect(await hearth(['static', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('usage: hearth static <command>'),
    stderr: '',
  });
  expect(await hearth(['start', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('OPRISH_PORT'),
  });
  expect(await program(['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^hearth \d+\.\d+\.\d+\n$/),
  });
});

test.each([
  [[], 'usage: hearth <command>'],
  [['statc'], 'hearth: unknown command "statc"; did you mean "static"?\n'],
  [['static', 'list', '--jsn'], 'hearth: unknown flag "--jsn"; did you mean "--json"?\n'],
  [['static', 'add'], 'hearth: missing <file>\nusage: hearth static add <file> [--name <name>]\n'],
])('hearth %j exits with 2 and prints the reason', async (words, stderr) => {
  expect(await hearth(words)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(stderr),
  });
});

test.skipIf(process.platform !== 'linux')(
  'a command fails if its output cannot be written',
  async () => {
    const { exited, stderr } = Bun.spawn([...HEARTH, '--help'], {
      stdout: Bun.file('/dev/full'),
      stderr: 'pipe',
    });
    expect(await textOf(stderr)).toMatch(/^hearth: cannot write the output: .*\n$/);
    expect(await exited).toBe(1);
  },
);

test('a file is added, listed, replaced and removed', async () => {
  await writeFile(join(folder.path, 'a b.css'), 'p {}');
  expect(await hearth(['static', 'list'])).toMatchObject({
    code: 0,
    stdout: 'There are no static files. To add one: hearth static add <file>\n',
  });
  const address = `http://127.0.0.1:${env['EFFIS_PORT']}/static/a%20b.css`;
  expect(await program(['static', 'add', 'a b.css'])).toEqual({
    code: 0,
    stdout: `Added a b.css (4 bytes, text/css; charset=utf-8): ${address}\n`,
    stderr: '',
  });
  await writeFile(join(folder.path, 'other'), 'p { }');
  await hearth(['static', 'add', join(folder.path, 'other'), '--name=a b.css']);
  const listed = await hearth(['static', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toEqual([
    {
      name: 'a b.css',
      sizeBytes: 5,
      contentType: 'text/css; charset=utf-8',
      addedAtMs: expect.any(Number),
    },
  ]);
  expect((await hearth(['static', 'list'])).stdout).toMatch(
    /^SIZE .*\n5 bytes .* UTC  a b\.css\n$/,
  );
  expect(await hearth(['static', 'remove', 'a b.css'])).toMatchObject({ code: 0, stderr: '' });
  expect((await hearth(['static', 'list', '--json'])).stdout).toBe('[]\n');
});

test('owner commands write no instance file', async () => {
  await hearth(['attachments', 'list']);
  expect(await readdir(folder.path)).not.toContain('instance.toml');
});

test.each([
  [['static', 'add', 'missing'], /^hearth: cannot read \/.*\/missing: there is no such file\n$/],
  [['static', 'add', 'folder'], /^hearth: cannot read \/.*\/folder: it is a folder\n$/],
  [['static', 'add', 'pipe'], /^hearth: cannot read \/.*\/pipe: it is not a regular file\n$/],
  [
    ['static', 'add', 'circle'],
    /^hearth: cannot read \/.*\/circle: its symbolic links form a loop\n$/,
  ],
  [['static', 'add', MAIN, '--name', '../x'], /^hearth: cannot add "\.\.\/x": .*name.*\n$/],
  [['static', 'remove', 'nothing'], /^hearth: there is no static file "nothing": .*\n$/],
  [['attachments', 'remove', '12'], /^hearth: there is no attachment 12: .*\n$/],
  [['attachments', 'remove', '012'], /^hearth: "012" is not an id: .*\n$/],
])('hearth %j exits with 1 and prints one line', async (words, line) => {
  await mkdir(join(folder.path, 'folder'), { recursive: true });
  await symlink('circle', join(folder.path, 'circle')).catch(() => {});
  Bun.spawnSync(['mkfifo', join(folder.path, 'pipe')]);
  expect(await hearth(words)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) });
});

test('every mistake in the configuration is printed on its own line', async () => {
  const { code, stderr } = await hearth(['static', 'list'], { EFFIS_PORT: 'x', HOST: '-' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^hearth: HOST: .*\nhearth: EFFIS_PORT: .*\n$/);
});

// Reading the start of this file is an I/O error, which no owner can fix.
test.skipIf(process.platform !== 'linux')(
  'an unexpected error is printed as one line that names the operation',
  async () => {
    const words = ['static', 'add', '/proc/self/mem'];
    const { code, stderr } = await program(words);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^hearth: static add failed: .*\n$/);
    const debugging = await hearth(words, { LOG_LEVEL: 'debug' });
    expect(debugging.stderr).toMatch(/^hearth: static add failed: .*\n.*EIO.*syscall: 'read'/s);
  },
);

test('an instance starts, obeys commands while it runs, and stops on a signal', async () => {
  await using instance = hearthProcess(['start']);
  const lines = linesOf(instance.stdout);
  expect(await textUntil(lines, 'Only this machine')).toContain('instance.toml (just written');
  await writeFile(join(folder.path, 'hello.txt'), 'hello');
  const added = await program(['static', 'add', 'hello.txt']);
  const response = await fetch(/http:\S+/.exec(added.stdout)?.[0] ?? '');
  expect(await response.text()).toBe('hello');
  const body = new FormData();
  body.set('file', new File(['hi'], 'a b.txt'));
  await fetch(`http://127.0.0.1:${env['EFFIS_PORT']}/attachments`, { method: 'POST', body });
  const { stdout } = await hearth(['attachments', 'list', '--json']);
  const uploads: unknown = JSON.parse(stdout);
  expect(uploads).toMatchObject([{ name: 'a b.txt', sizeBytes: 2, spoiler: false }]);
  expect((await hearth(['attachments', 'list'])).stdout).toEndWith('  no       a b.txt\n');
  const id = /"id": "(\d+)"/.exec(stdout)?.[1] ?? '';
  expect(await hearth(['attachments', 'remove', id])).toMatchObject({ stdout: `Removed ${id}\n` });
  expect((await hearth(['attachments', 'list'])).stdout).toBe('There are no attachments.\n');
  for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) instance.kill(signal);
  expect(await textUntil(lines, 'Stopping…')).toBe('\nStopping…');
  expect(await instance.exited).toBe(0);
  expect(await textOf(instance.stderr)).toBe('');
});

async function textUntil(lines: AsyncIterator<string>, last: string): Promise<string> {
  const text: string[] = [];
  while (!text.at(-1)?.startsWith(last)) {
    const { done, value } = await lines.next();
    if (done === true) throw new Error(`ended before "${last}": ${text.join('\n')}`);
    text.push(value);
  }
  return text.join('\n');
}
