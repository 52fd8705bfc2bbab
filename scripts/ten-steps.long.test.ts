/** Follows "Add a feature in ten steps" of ARCHITECTURE.md in a copy of the repository, and uses the feature there. */
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { readError } from '@hearth/testing/clients/read-error';
import { tempFolder } from '@hearth/testing/temp-folder';
import { environmentOf, testRun } from '@hearth/testing/test-run';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

type TestInstances = typeof import('@hearth/testing/instances/test-instance');
type Sdk = typeof import('../packages/sdk/src/index.ts');

const ROOT = join(import.meta.dirname, '..');
const COPIED = ['packages', 'scripts', 'bench', 'deploy', 'examples', 'docs', 'package.json'];
const SETTINGS = ['tsconfig.json', '.oxlintrc.json', '.oxfmtrc.json'];

/** The page's own test, and tests that hold for any content of the tables and lists. */
const TESTS = [
  'packages/server/test/notes.test.ts',
  'packages/server/src/features/talk/notes/notes.engine.test.ts',
  'packages/cli/test/notes.engine.test.ts',
  'packages/protocol/src/server-events.test.ts',
  'packages/sdk/test/capabilities.test.ts',
  'packages/server/src/permissions.test.ts',
  'packages/server/test/capabilities.test.ts',
  'packages/protocol/src/wire.test.ts',
  'packages/server/src/config/example-files.test.ts',
  'packages/server/src/features/platform/rate-limits/every-limit.test.ts',
  'packages/server/src/schema.engine.test.ts',
  'packages/server/test/openapi.test.ts',
  'packages/server/test/spec-coverage.test.ts',
];

/** What the page does to a file: it writes the file, or adds groups of lines, each after lines that are there once. */
interface Edit {
  readonly path: string;
  readonly isNew: boolean;
  readonly lines: readonly string[];
}

const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const [, section = ''] = page.split(/^## Add a feature in ten steps$/m);
const edits = [...section.matchAll(/^```\w+\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
  editsIn(block),
);
const paths = edits.map(({ path }) => path);

const resources = new AsyncDisposableStack();
let copy: string;

beforeAll(async () => {
  copy = resources.use(await tempFolder()).path;
  copyRepository();
  for (const edit of edits) apply(edit);
  await run('bun', 'scripts/write-wire.ts');
  await run('bun', 'scripts/write-examples.ts');
});

afterAll(() => resources.disposeAsync());

/** The files of a block; each begins with a line that names it. */
function editsIn(block: string): readonly Edit[] {
  return block.split(/^(?=\/\/ packages\/|\+\+\+ )/m).map((part) => {
    const [head = '', ...lines] = part.trimEnd().split('\n');
    const path = head.slice(head.indexOf(' ') + 1);
    if (head.startsWith('//')) return { path, isNew: true, lines };
    const isNew = !existsSync(join(ROOT, path));
    return { path, isNew, lines: isNew ? lines.map((line) => line.slice(1)) : lines };
  });
}

function apply({ path, isNew, lines }: Edit): void {
  const file = join(copy, path);
  if (isNew) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${lines.join('\n')}\n`);
    return;
  }
  const text = readFileSync(file, 'utf8').split('\n');
  let place = -1;
  let isAfterAnchor = false;
  for (const line of lines) {
    const isAdded = line.startsWith('+');
    if (isAdded) text.splice((place += 1), 0, line.slice(1));
    else if (isAfterAnchor && text[place + 1] === line.slice(1)) place += 1;
    else place = placeAfter(text, line.slice(1), path);
    isAfterAnchor = !isAdded;
  }
  writeFileSync(file, text.join('\n'));
}

function placeAfter(text: readonly string[], anchor: string, path: string): number {
  const found = text.flatMap((line, index) => (line === anchor ? [index] : []));
  if (found.length !== 1) throw new Error(`${path} has ${found.length} times: ${anchor}`);
  return found[0] ?? 0;
}

/** The packages of the copy use each other. All other installed packages are shared with the repository. */
function copyRepository(): void {
  for (const name of [...COPIED, ...SETTINGS]) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(copy, 'node_modules', name)];
    if (name === '@hearth') cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, to);
  }
}

/** Runs a program in the copy. If it fails, throws its output. */
function run(program: string, ...args: readonly string[]): Promise<void> {
  return runIn(copy, program, ...args);
}

/** Runs a program of the copy in a folder. If it fails, throws its output. */
async function runIn(cwd: string, program: string, ...args: readonly string[]): Promise<void> {
  const command = program === 'bun' ? process.execPath : join(copy, 'node_modules/.bin', program);
  // The program of a whole run is not that of the copy.
  const { program: _program, web: _web, ...servers } = testRun;
  const env = { ...process.env, ...environmentOf(servers) };
  const child = Bun.spawn([command, ...args], { cwd, env, stdout: 'pipe', stderr: 'pipe' });
  const [printed, warned] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${program} failed:\n${printed}${warned}`);
}

test('the page has ten steps, in order', () => {
  const numbers = [...section.matchAll(/^\*\*(\d+)\. /gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('the feature does not edit any other feature, and only adds lines', () => {
  const changed = edits.filter(({ isNew }) => !isNew);
  expect(changed.filter(({ path }) => path.includes('/features/'))).toEqual([]);
  expect(changed.flatMap(({ lines }) => lines).filter((line) => !/^[+ ]/.test(line))).toEqual([]);
});

test('the feature is formatted', () => run('oxfmt', '--check', ...paths));

test('the feature does not break any rule of the linter', () =>
  run('oxlint', '--type-aware', '--deny-warnings', ...paths));

test('the types are correct in all packages and in the tests that the page writes or changes', async () => {
  const checked = {
    extends: './tsconfig.json',
    files: paths.filter((path) => path.endsWith('.ts')),
    include: ['packages/*/src'],
    exclude: ['packages/testing', '**/*.test.ts', '**/*.contract.ts'],
  };
  writeFileSync(join(copy, 'tsconfig.checked.json'), JSON.stringify(checked));
  await run('tsc', '--noEmit', '--project', 'tsconfig.checked.json');
});

test('the tests of the page pass, and also those of the tables, the lists and the documentation', () =>
  run('bun', 'test', '--timeout=60000', ...TESTS));

test('the feature works over HTTP, the SDK and the gateway, and its data survives a restart', async () => {
  const { startTestInstance } = await copied<TestInstances>(
    'packages/testing/src/instances/test-instance.ts',
  );
  await using folder = await tempFolder();
  const options = { folder: folder.path, toml: '' };
  await using instance = await startTestInstance(options);
  const { rest, gateway } = instance.addresses;
  const socket = await GatewayClient.connect(`${gateway}?v=1`);

  const refused = await fetch(`${rest}/notes/welcome`, { method: 'PUT', body: '{"content":"x"}' });
  expect(refused.headers.get('x-ratelimit-max')).toBe('20');
  expect(refused.headers.get('x-ratelimit-request-count')).toBe('1');
  expect(await readError(refused)).toEqual({
    status: 403,
    message: 'You may not do this',
    data: { code: 'permission_missing', permission: 'MANAGE_INSTANCE' },
  });
  await using client = await connected(rest);
  await expect(client.setNote({ name: 'welcome', content: 'x' })).rejects.toMatchObject({
    status: 403,
  });
  expect(await client.listNotes()).toEqual([]);

  const note = { name: 'welcome', content: 'Good evening' };
  const program = join(copy, 'packages/cli/src/main.ts');
  await runIn(folder.path, 'bun', program, 'notes', 'set', note.name, note.content);
  await socket.until(() => socket.received.length === 2);
  expect(socket.received[1]).toBe(JSON.stringify({ op: 'NOTE_UPDATE', s: 1, d: note }));
  socket.close();
  await instance.stop();

  await using next = await startTestInstance(options);
  await using restarted = await connected(next.addresses.rest);
  expect(await restarted.listNotes()).toEqual([note]);
});

test('the feature is described to clients, and its table is moved to servers', async () => {
  const { startTestInstance } = await copied<TestInstances>(
    'packages/testing/src/instances/test-instance.ts',
  );
  await using instance = await startTestInstance({ toml: '' });
  const read = async (path: string): Promise<unknown> =>
    (await fetch(`${instance.addresses.rest}${path}`)).json();
  expect(await read('/rate_limits')).toMatchObject({
    oprish: { notes: { reset_after: 5, limit: 20 } },
  });
  expect(await read('/openapi.json')).toMatchObject({
    paths: {
      '/notes': { get: { operationId: 'listNotes' } },
      '/notes/{name}': { put: { operationId: 'setNote', responses: { 403: {} } } },
    },
  });
  const { TABLES } = await copied<typeof import('../packages/server/src/schema.ts')>(
    'packages/server/src/schema.ts',
  );
  const { movedTables } = await copied<
    typeof import('../packages/server/src/features/operation/move-instance/moved-tables.ts')
  >('packages/server/src/features/operation/move-instance/moved-tables.ts');
  expect(movedTables(TABLES).map(({ name }) => name)).toContain('notes');
});

/** What the page's files add to the SDK. */
interface Note {
  readonly name: string;
  readonly content: string;
}
interface Notes {
  readonly listNotes: () => Promise<readonly Note[]>;
  readonly setNote: (note: Note) => Promise<Note>;
}

/** Imports a module of the copy with the type that the caller names. */
function copied<Module>(path: string): Promise<Module> {
  return import(join(copy, path));
}

async function connected(rest: string): Promise<AsyncDisposable & Notes> {
  const { connect } = await copied<Sdk>('packages/sdk/src/index.ts');
  const client = await connect(rest);
  // Guarantee: the page adds these functions, and the types of the copy are checked.
  const notes = client.rest as unknown as Notes;
  return {
    listNotes: () => notes.listNotes(),
    setNote: (note) => notes.setNote(note),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
