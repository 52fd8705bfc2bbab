import { formatId, type LobbyMessage } from '@hearth/protocol';
import { fileDataSchema, messageListSchema } from '@hearth/protocol/schemas';
import { limitHeaders } from '@hearth/testing/clients/limited-client';
import { postMessage } from '@hearth/testing/clients/post-message';
import { readValidationError } from '@hearth/testing/clients/read-error';
import { fakeClock } from '@hearth/testing/fake-clock';
import { openTestContext } from '@hearth/testing/instances/test-context';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { tempFolder } from '@hearth/testing/temp-folder';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER } from '../src/actor.ts';
import { removeMessage } from '../src/features/talk/lobby/remove-message.ts';
import { insertStatement } from '../src/features/talk/lobby/store.ts';
import { selectState } from '../src/features/search/search/store.ts';
import { sqliteDatabase } from '../src/engines/databases.ts';

const STOPPED = 'x-search-stopped-at';

function ask(instance: TestInstance, query: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${instance.addresses.rest}/search?${new URLSearchParams(query)}`);
}

async function found(
  instance: TestInstance,
  query: Readonly<Record<string, string>>,
): Promise<readonly LobbyMessage[]> {
  const answer = await ask(instance, query);
  expect(answer.status).toBe(200);
  return messageListSchema.parse(await answer.json());
}

/** Resolves when everything that was posted is found. */
async function untilFound(instance: TestInstance, count: number): Promise<void> {
  await until(async () => (await found(instance, { after: '0', from: 'ada' })).length >= count);
}

/** A picture of one pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

async function uploadTo(instance: TestInstance, file: File): Promise<string> {
  const body = new FormData();
  body.set('file', file);
  const answer = await fetch(instance.addresses.files, { method: 'POST', body });
  return fileDataSchema.parse(await answer.json()).id;
}

describe('a search', () => {
  let instance: TestInstance;

  beforeAll(async () => {
    instance = await startTestInstance();
    await postMessage(instance, 'Good evening, everyone', 'Ada');
    await postMessage(instance, 'Évening! Good things: https://example.com', 'bob');
    await postMessage(instance, 'good morning', 'ada');
    await untilFound(instance, 2);
  });
  afterAll(() => instance[Symbol.asyncDispose]());

  const contents = async (query: Readonly<Record<string, string>>) =>
    (await found(instance, query)).map(({ content }) => content.split(/[ !]/)[0]);

  test('[SE1][SE3][SE4] a search finds words whatever their case, accents and order, and the beginning of the last one', async () => {
    expect(await contents({ q: 'good' })).toEqual(['good', 'Évening', 'Good']);
    expect(await contents({ q: 'evening GOOD' })).toEqual(['Évening', 'Good']);
    expect(await contents({ q: 'good eve' })).toEqual(['Évening', 'Good']);
    expect(await contents({ q: 'eve good' })).toEqual([]);
    expect(await contents({ q: '"good evening"' })).toEqual(['Good']);
  });

  test('[SE1] answers with messages in the shape of the history', async () => {
    const history = await fetch(`${instance.addresses.rest}/messages?limit=1`);
    expect(await found(instance, { q: 'morning' })).toEqual(
      messageListSchema.parse(await history.json()),
    );
  });

  test('[SE2][SE5] a search is bounded by before, after and limit, and pages by before', async () => {
    const all = await found(instance, { q: 'good', in: 'lobby' });
    const [newest, middle, oldest] = all.map(({ id }) => id);
    expect(await found(instance, { q: 'good', limit: '1' })).toEqual(all.slice(0, 1));
    expect(await found(instance, { q: 'good', before: newest ?? '', limit: '1' })).toEqual(
      all.slice(1, 2),
    );
    expect(await found(instance, { q: 'good', after: oldest ?? '' })).toEqual(all.slice(0, 2));
    expect(await found(instance, { q: 'good', after: oldest ?? '', limit: '1' })).toEqual(
      all.slice(0, 1),
    );
    expect(await found(instance, { q: 'good', after: oldest ?? '', before: newest ?? '' })).toEqual(
      all.filter(({ id }) => id === middle),
    );
  });

  test('[SE6][SE6a] a search finds the messages of an author, and those with a link', async () => {
    expect(await contents({ from: 'ADA' })).toEqual(['good', 'Good']);
    expect(await contents({ from: 'ad' })).toEqual([]);
    expect(await contents({ q: ' ', from: 'Ada' })).toEqual(['good', 'Good']);
    expect(await contents({ q: 'evening', from: 'ada' })).toEqual(['Good']);
    expect(await contents({ has: 'link' })).toEqual(['Évening']);
    expect(await contents({ q: 'good', has: 'link', from: 'ada' })).toEqual([]);
  });

  test('[SE1][SE6][SE6a] a search finds the messages with a file or a picture, and lists it', async () => {
    await using other = await startTestInstance();
    const text = await uploadTo(other, new File(['a text'], 'a.txt'));
    const picture = await uploadTo(other, new File([PIXEL], 'a.gif'));
    const at = other.addresses.files;
    await postMessage(other, `text: ${at}/${text}`, 'ada');
    await postMessage(other, `picture: ${at}/attachments/${picture}/download`, 'ada');
    await postMessage(other, `link: https://example.com/${text}`, 'ada');
    await postMessage(other, `both: https://example.com and ${at}/media/${text}`, 'ada');
    await postMessage(other, `none: ${at}/12345`, 'ada');
    await untilFound(other, 5);
    const named = async (query: Readonly<Record<string, string>>) =>
      (await found(other, query)).map(({ content }) => content.split(':')[0]);
    expect(await named({ has: 'file' })).toEqual(['both', 'picture', 'text']);
    expect(await named({ has: 'picture' })).toEqual(['picture']);
    expect(await named({ has: 'link' })).toEqual(['both', 'link']);
    const [message] = await found(other, { q: 'picture' });
    expect(message?.attachments?.map(({ id }) => id)).toEqual([picture]);
  });

  test.each([
    [{}, 'q'],
    [{ q: '' }, 'q'],
    [{ q: '!?', from: 'ada' }, 'q'],
    [{ q: 'a\0b' }, 'q'],
    [{ q: 'a'.repeat(201) }, 'q'],
    [{ q: 'a', in: 'elsewhere' }, 'in'],
    [{ q: 'a', in: '1', community: '1' }, 'community'],
    [{ q: 'a', has: 'sound' }, 'has'],
    [{ q: 'a', from: 'a'.repeat(33) }, 'from'],
    [{ q: 'a', before: 'x' }, 'before'],
    [{ q: 'a', after: '-1' }, 'after'],
    [{ q: 'a', limit: '0' }, 'limit'],
  ])('[SE7] for %j is a ValidationError that names %s', async (query, field) => {
    const answer = await ask(instance, query as Record<string, string>);
    expect((await readValidationError(answer)).field).toBe(field);
  });

  test('[SE8] a search does not find a message from when it is removed', async () => {
    await using other = await startTestInstance();
    await postMessage(other, 'secret', 'ada');
    await untilFound(other, 1);
    const [message] = await found(other, { q: 'secret' });
    await using ctx = await openTestContext(other);
    if (message !== undefined) await removeMessage(ctx, OWNER, message.id);
    expect(message?.content).toBe('secret');
    expect(await found(other, { q: 'secret' })).toEqual([]);
  });

  test('[SE10] counts in its own limit', async () => {
    await using limited = await startTestInstance({ toml: '', clock: fakeClock() });
    const answer = await ask(limited, { q: 'a' });
    expect(limitHeaders(answer)).toMatchObject({ max: 10, reset: 10_000 });
    for (let count = 2; count <= 10; count += 1) await ask(limited, { q: 'a' });
    expect((await ask(limited, { q: 'a' })).status).toBe(429);
  });

  test('[SE1] a search finds nothing if no messages are kept', async () => {
    await using empty = await startTestInstance({
      toml: `[oprish]\nhistory = { messages = 0 }\n${GENEROUS_LIMITS}`,
    });
    await postMessage(empty, 'good evening', 'ada');
    expect(await found(empty, { q: 'good' })).toEqual([]);
  });
});

/** Writes a history as an instance without an index would have left it. */
async function writeHistory(folder: string, contents: readonly string[]): Promise<void> {
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  await using database = await sqliteDatabase(join(data, 'hearth.sqlite'));
  const messages = contents.map((content, index) => {
    const id = formatId({ seconds: 1_000 + index, instanceId: 1, sequence: 0 });
    return { number: index + 1, message: { id, author: 'ada', content, created_at: Date.now() } };
  });
  for (let done = 0; done < messages.length; done += 4_096) {
    const { statement } = insertStatement(messages.slice(done, done + 4_096));
    await database.transaction((tx) => tx.run(statement));
  }
}

test('[SE9][SE9a][SE18] a search that has read enough says where it stopped', async () => {
  await using folder = await tempFolder();
  // The index knows the places of words only up to 64.
  const apart = `two ${'a '.repeat(64)}one`;
  const contents = Array.from({ length: 10_600 }, (_, at) => (at === 50 ? 'two one' : apart));
  await writeHistory(folder.path, contents);
  const toml = `[oprish]\nhistory = { messages = 20_000 }\n${GENEROUS_LIMITS}`;
  await using instance = await startTestInstance({ folder: folder.path, toml });
  await using ctx = await openTestContext(instance);
  await until(async () => (await selectState(ctx.database.reader))?.isComplete === true);

  const answer = await ask(instance, { q: '"two one"' });
  expect(await answer.json()).toEqual([]);
  expect(answer.headers.get('access-control-expose-headers')).toContain('X-Search-Stopped-At');
  const stoppedAt = answer.headers.get(STOPPED) ?? '';
  const next = await ask(instance, { q: '"two one"', before: stoppedAt });
  expect(next.headers.get(STOPPED)).toBeNull();
  expect(messageListSchema.parse(await next.json()).map(({ content }) => content)).toEqual([
    'two one',
  ]);
}, 120_000);
