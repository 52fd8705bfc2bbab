/** Follows "Add a feature in ten steps" of ARCHITECTURE.md in a copy of the repository, and uses the feature there. */
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { readError } from '@hearth/testing/clients/read-error';
import { tempFolder } from '@hearth/testing/temp-folder';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { FollowedPage } from './followed-page.ts';

type TestInstances = typeof import('@hearth/testing/instances/test-instance');
type Sdk = typeof import('../packages/sdk/src/index.ts');

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
  'packages/protocol/src/descriptions/descriptions.test.ts',
  'packages/server/test/openapi.test.ts',
  'packages/server/test/spec-coverage.test.ts',
];

const page = new FollowedPage('Add a feature in ten steps');

beforeAll(() => page.follow());
afterAll(() => page[Symbol.asyncDispose]());

test('the page has ten steps, in order', () => {
  const numbers = [...page.text.matchAll(/^\*\*(\d+)\. /gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('the feature does not edit any other feature, and only adds lines', () => {
  const changed = page.edits.filter(({ isNew }) => !isNew);
  expect(changed.filter(({ path }) => path.includes('/features/'))).toEqual([]);
  expect(changed.flatMap(({ lines }) => lines).filter((line) => !/^[+ ]/.test(line))).toEqual([]);
});

test('the feature is formatted', () => page.run('oxfmt', '--check', ...page.paths));

test('the feature does not break any rule of the linter', () =>
  page.run('oxlint', '--type-aware', '--deny-warnings', ...page.paths));

test('the types are correct in all packages and in the tests that the page writes or changes', () =>
  page.checkTypes());

test('the tests of the page pass, and also those of the tables, the lists and the documentation', () =>
  page.run('bun', 'test', '--timeout=60000', ...TESTS));

test('the feature works over HTTP, the SDK and the gateway, and its data survives a restart', async () => {
  const { startTestInstance } = await page.imported<TestInstances>(
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
  const program = page.at('packages/cli/src/main.ts');
  await page.runIn(folder.path, 'bun', program, 'notes', 'set', note.name, note.content);
  await socket.until(() => socket.received.length === 2);
  expect(socket.received[1]).toBe(JSON.stringify({ op: 'NOTE_UPDATE', s: 1, d: note }));
  socket.close();
  await instance.stop();

  await using next = await startTestInstance(options);
  await using restarted = await connected(next.addresses.rest);
  expect(await restarted.listNotes()).toEqual([note]);
});

test('the feature is described to clients, and its table is moved to servers', async () => {
  const { startTestInstance } = await page.imported<TestInstances>(
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
  const { TABLES } = await page.imported<typeof import('../packages/server/src/schema.ts')>(
    'packages/server/src/schema.ts',
  );
  const { movedTables } = await page.imported<
    typeof import('../packages/server/src/features/operation/move-instance/moved-tables.ts')
  >('packages/server/src/features/operation/move-instance/moved-tables.ts');
  expect(movedTables(TABLES).map(({ name }) => name)).toContain('notes');
});

/** The object that the page's files add to the SDK. */
interface Note {
  readonly name: string;
  readonly content: string;
}
interface Notes {
  readonly listNotes: () => Promise<readonly Note[]>;
  readonly setNote: (note: Note) => Promise<Note>;
}

async function connected(rest: string): Promise<AsyncDisposable & Notes> {
  const { connect } = await page.imported<Sdk>('packages/sdk/src/index.ts');
  const client = await connect(rest);
  // Guarantee: the page adds these functions, and the types of the copy are checked.
  const notes = client.rest as unknown as Notes;
  return {
    listNotes: () => notes.listNotes(),
    setNote: (note) => notes.setNote(note),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
