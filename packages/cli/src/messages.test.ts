import type { LobbyMessage } from '@hearth/protocol';
import { messageListSchema } from '@hearth/protocol/schemas';
import { expect, test } from 'bun:test';
import { postMessage } from '@hearth/testing/clients/post-message';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { run } from './run.ts';

/** The data of a stopped instance with these messages. */
async function dataWith(contents: readonly string[], author?: string) {
  const instance = await startTestInstance({ toml: GENEROUS_LIMITS });
  for (const content of contents) await postMessage(instance, content, author);
  await instance.stop();
  return instance;
}

/** Runs the command line on the data in `folder`, in this process. */
async function hearth(folder: string, ...words: readonly string[]) {
  const written = { stdout: '', stderr: '' };
  const code = await run(words, {
    env: { LOG_LEVEL: 'silent' },
    workingDir: folder,
    print: (text) => (written.stdout += text),
    warn: (text) => (written.stderr += text),
    streams: process,
    listenForStop: () => AbortSignal.abort(),
  });
  return { code, ...written };
}

async function listed(folder: string, ...flags: string[]): Promise<readonly LobbyMessage[]> {
  const { stdout } = await hearth(folder, 'messages', 'list', '--json', ...flags);
  return messageListSchema.parse(JSON.parse(stdout));
}

test('[OP22] messages are printed as a table like a chat log, and in JSON as the API returns them', async () => {
  await using data = await dataWith(['Hello, hearth!', 'Anyone there?'], 'ada');
  const messages = await listed(data.folder);
  expect(messages).toMatchObject([
    { author: 'ada', content: 'Hello, hearth!' },
    { author: 'ada', content: 'Anyone there?' },
  ]);
  const [first, second] = messages.map(({ id, created_at }) => {
    return `${id}  ${new Date(created_at).toISOString().slice(0, 19).replace('T', ' ')} UTC  ada   `;
  });
  const { code, stdout } = await hearth(data.folder, 'messages', 'list');
  expect(code).toBe(0);
  const [titles = '', ...lines] = stdout.split('\n');
  expect(titles).toMatch(/^ID {26,}POSTED {19}AUTHOR {2}CONTENT$/);
  expect(lines).toEqual([`${first}  Hello, hearth!`, `${second}  Anyone there?`, '']);
});

test('[OP22] the newest 50 messages are listed, or as many as --limit allows, page by page', async () => {
  const contents = Array.from({ length: 205 }, (_, index) => String(index));
  await using data = await dataWith(contents);
  const contentsOf = async (...flags: string[]) =>
    (await listed(data.folder, ...flags)).map(({ content }) => content);
  expect(await contentsOf()).toEqual(contents.slice(-50));
  for (const limit of [1, 99, 100, 101, 200, 205]) {
    expect(await contentsOf('--limit', String(limit))).toEqual(contents.slice(-limit));
  }
  expect(await contentsOf('--limit', '9'.repeat(400))).toEqual(contents);

  const [oldest] = await listed(data.folder, '--limit=3');
  const before = ['--before', oldest?.id ?? ''];
  expect(await contentsOf(...before)).toEqual(contents.slice(152, 202));
  expect(await contentsOf(...before, '--limit', '150')).toEqual(contents.slice(52, 202));
  expect(await contentsOf(...before, '--limit', '1000')).toEqual(contents.slice(0, 202));
});

test('[OP22] a message takes one line and cannot control the terminal', async () => {
  const content = 'two\r\n\tlines\u2028\u001b[2J\u009b31m\u202egpj 🐈';
  await using data = await dataWith([content], 'a\nb\u0007');
  const { stdout } = await hearth(data.folder, 'messages', 'list');
  expect(stdout).toEndWith('  a b�    two lines��[2J�31m�gpj 🐈\n');
  expect(stdout.split('\n')).toHaveLength(3);
  const json = await hearth(data.folder, 'messages', 'list', '--json');
  expect(json.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  expect(JSON.parse(json.stdout)).toMatchObject([{ author: 'a\nb\u0007', content }]);
});

test('[OP22] an empty list prints why it is empty', async () => {
  await using empty = await dataWith([]);
  expect(await hearth(empty.folder, 'messages', 'list')).toEqual({
    code: 0,
    stdout: 'There are no messages.\n',
    stderr: '',
  });
  await using data = await dataWith(['first']);
  const [first] = await listed(data.folder);
  expect(await hearth(data.folder, 'messages', 'list', '--before', first?.id ?? '')).toMatchObject({
    stdout: `There are no messages before ${first?.id}.\n`,
  });
  await using off = await startTestInstance({ toml: 'oprish.history.messages = 0' });
  await postMessage(off, 'not kept');
  expect(await hearth(off.folder, 'messages', 'list')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^No messages are kept: .*\(oprish\.history\.messages = 0\)\.\n$/,
    ),
  });
  expect(await listed(off.folder)).toEqual([]);
});

test.each([
  [['list', '--limit', '0'], '--limit must be a whole number of at least 1, not "0"'],
  [['list', '--limit=-1'], '--limit must be a whole number of at least 1, not "-1"'],
  [['list', '--limit', '1.5'], '--limit must be a whole number of at least 1, not "1.5"'],
  [['list', '--limit', 'all'], '--limit must be a whole number of at least 1, not "all"'],
  [['list', '--before', 'ada'], '"ada" is not an id: see hearth messages list'],
  [['remove', '012'], '"012" is not an id: see hearth messages list'],
  [['remove', '012', '--dry-run'], '"012" is not an id: see hearth messages list'],
])('[OP22, OP23] hearth messages %j fails and prints one line', async (words, line) => {
  // The folder does not exist: the arguments are checked before the data.
  expect(await hearth('/nowhere', 'messages', ...words)).toEqual({
    code: 1,
    stdout: '',
    stderr: `hearth: ${line}\n`,
  });
});

test('[OP23] a message is removed once, and the other messages stay', async () => {
  await using data = await dataWith(['one', 'two', 'three']);
  const id = (await listed(data.folder)).at(1)?.id ?? '';
  expect(await hearth(data.folder, 'messages', 'remove', id)).toEqual({
    code: 0,
    stdout: `Removed ${id}\n`,
    stderr: '',
  });
  expect(await listed(data.folder)).toMatchObject([{ content: 'one' }, { content: 'three' }]);
  expect(await hearth(data.folder, 'messages', 'remove', id)).toEqual({
    code: 1,
    stdout: '',
    stderr: `hearth: there is no message ${id}: see hearth messages list\n`,
  });
});
