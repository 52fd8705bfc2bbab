import { parseId } from '@hearth/protocol';
import { messageListSchema } from '@hearth/protocol/schemas';
import { connect, memoryTokens } from '@hearth/sdk';
import { photograph } from '@hearth/testing/clients/photograph';
import { postMessage } from '@hearth/testing/clients/post-message';
import { upload } from '@hearth/testing/clients/upload-form';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { expect, test } from 'bun:test';
import { run } from './run.ts';

/** The data of a stopped instance: two authors, and messages that name the three uploads of `ids`. */
async function spamData() {
  const instance = await startTestInstance({ toml: GENEROUS_LIMITS });
  const { files } = instance.addresses;
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    ids.push((await upload(files, Buffer.from(name))).id);
  }
  const [own, shared, others] = ids;
  await postMessage(instance, 'good evening', 'ada');
  await postMessage(instance, `buy ${files}/${own}`, 'spammer');
  await postMessage(instance, `and ${files}/attachments/${shared} and ${files}/1`, 'spammer');
  await postMessage(instance, `look ${files}/${shared} ${files}/${others}`, 'ada');
  await postMessage(instance, 'bye', 'spammer');
  await instance.stop();
  return { ...instance, own: own ?? '' };
}

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

async function left(folder: string): Promise<readonly string[]> {
  const { stdout } = await hearth(folder, 'messages', 'list', '--json');
  return messageListSchema.parse(JSON.parse(stdout)).map(({ content }) => content.slice(0, 4));
}

async function files(folder: string): Promise<number> {
  const { stdout } = await hearth(folder, 'attachments', 'list', '--json');
  return (JSON.parse(stdout) as readonly unknown[]).length;
}

const REMOVE = ['messages', 'remove', '--author', 'spammer'] as const;

test('[OP49] the messages of an author are removed, and those of others stay', async () => {
  await using data = await spamData();
  expect(await hearth(data.folder, ...REMOVE, '--yes')).toEqual({
    code: 0,
    stdout: 'Removed 3 messages\n',
    stderr: '',
  });
  expect(await left(data.folder)).toEqual(['good', 'look']);
  expect(await files(data.folder)).toBe(3);
  expect(await hearth(data.folder, ...REMOVE, '--yes', '--since', '2026-01-31 08:05')).toEqual({
    code: 0,
    stdout: 'There are no messages by spammer since 2026-01-31 08:05:00 UTC.\n',
    stderr: '',
  });
});

test('[OP49] messages are removed from a time on', async () => {
  await using data = await spamData();
  const year = String(new Date().getUTCFullYear() + 1);
  expect(
    (await hearth(data.folder, 'messages', 'rm', '--since', year + '-01-01', '-y')).stdout,
  ).toBe(`There are no messages since ${year}-01-01 00:00:00 UTC.\n`);
  expect((await hearth(data.folder, 'messages', 'rm', '--since', '1h', '-y')).stdout).toBe(
    'Removed 5 messages\n',
  );
  expect(await left(data.folder)).toEqual([]);
});

test('[OP50] --with-files removes the uploads that only the removed messages name', async () => {
  await using data = await spamData();
  const { stdout } = await hearth(data.folder, ...REMOVE, '--with-files', '--yes', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    messages: [{ author: 'spammer' }, { author: 'spammer' }, { author: 'spammer', content: 'bye' }],
    files: [{ id: data.own, sizeBytes: 3 }],
  });
  expect(await files(data.folder)).toBe(2);
});

test('[OP23][OP50] a single message is removed with its files, without a question', async () => {
  await using data = await spamData();
  const { stdout } = await hearth(data.folder, 'messages', 'list', '--json');
  const id = messageListSchema.parse(JSON.parse(stdout)).at(1)?.id ?? '';
  expect(await hearth(data.folder, 'messages', 'remove', id, '--with-files')).toEqual({
    code: 0,
    stdout: `Removed ${id} and 1 file\n`,
    stderr: '',
  });
  expect(await files(data.folder)).toBe(2);
});

test('[OP51] --dry-run lists what would be removed, and removes nothing', async () => {
  await using data = await spamData();
  const { code, stdout } = await hearth(data.folder, ...REMOVE, '--with-files', '--dry-run');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ID .*CONTENT\n(\d+ .* spammer .*\n){3}\nID .*NAME\n\d+ .*\n\n/);
  expect(stdout).toEndWith('\n3 messages and 1 file would be removed\n');
  const json = await hearth(data.folder, ...REMOVE, '--dry-run', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ messages: [{}, {}, {}], files: [] });
  expect(await left(data.folder)).toHaveLength(5);
  expect(await files(data.folder)).toBe(3);
});

test('[OP51] without a terminal, messages are removed by author or time only with --yes', async () => {
  await using data = await spamData();
  const others = ['messages', 'remove', '--since', '2026-01-31', '--with-files'];
  for (const [words, what] of [
    [REMOVE, '3 messages by spammer'],
    [others, '5 messages since 2026-01-31 00:00:00 UTC and 3 files'],
  ] as const) {
    expect(await hearth(data.folder, ...words)).toEqual({
      code: 1,
      stdout: '',
      stderr: `hearth: nothing was removed: add --yes to remove ${what}, or --dry-run to list them\n`,
    });
  }
  expect(await left(data.folder)).toHaveLength(5);
});

test.each([
  [[], 'missing <id>, --author or --since'],
  [['12', '--author', 'ada'], '<id> cannot be combined with --author and --since'],
  [['--with-files'], 'missing <id>, --author or --since'],
  [['--since', 'yesterday'], '--since must be a duration such as 30m, 1h or 7d'],
])('[OP49] hearth messages remove %j is refused', async (words, line) => {
  const { code, stdout, stderr } = await hearth('/nowhere', 'messages', 'remove', ...words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toStartWith(`hearth: ${line}`);
});

test('[OP50][FS43] --with-files removes files of an account only with messages of theirs, and not those that a profile or a message of a channel uses', async () => {
  await using instance = await startTestInstance({
    toml: `registration = "open"\n${GENEROUS_LIMITS}`,
  });
  const { rest } = instance.addresses;
  await using ada = await connect(rest, { tokens: memoryTokens() });
  const password = 'correct horse battery';
  await ada.register({ username: 'ada', email: 'ada@example.org', password });
  const uploaded = async () => {
    const { id, key } = await ada.files.upload(
      new File([await photograph({ width: 40, height: 30 })], 'a.jpg'),
    );
    return { id, url: ada.files.url(id, { key }) };
  };
  const [stolen, own, avatar] = [await uploaded(), await uploaded(), await uploaded()];
  const attached = await uploaded();
  const { channels } = await ada.communities.create({ name: 'Garden', slug: 'garden' });
  await ada.channel(channels[0]?.id ?? expect.unreachable()).send({
    content: '',
    attachments: [{ id: parseId(attached.id) ?? expect.unreachable() }],
  });
  await ada.updateMe({ avatar: parseId(avatar.id) });
  const urls = [own, avatar, attached].map(({ url }) => url);
  await ada.rest.createMessage({ author: 'ada', content: urls.join(' ') });
  await postMessage(instance, `look ${stolen.url}`, 'spammer');
  await instance.stop();
  const listed = async (): Promise<readonly unknown[]> =>
    JSON.parse((await hearth(instance.folder, 'attachments', 'list', '--json')).stdout);
  const of = ({ id }: { readonly id: string }) => expect.objectContaining({ id, user: 'ada' });
  await hearth(instance.folder, ...REMOVE, '--with-files', '--yes');
  expect(await listed()).toEqual([of(stolen), of(own), of(avatar), of(attached)]);
  const { stdout } = await hearth(instance.folder, 'attachments', 'list');
  expect(stdout).toMatch(
    /^ID +SIZE +TYPE +UPLOADED +USER +SPOILER +NAME\n(\d+ .* ada +no +a\.jpg\n){4}$/,
  );
  await hearth(instance.folder, 'messages', 'remove', '--author', 'ada', '--with-files', '--yes');
  expect(await listed()).toEqual([of(stolen), of(avatar), of(attached)]);
  expect((await hearth(instance.folder, 'attachments', 'remove', avatar.id)).code).toBe(0);
  await using again = await startTestInstance({
    toml: `registration = "open"\n${GENEROUS_LIMITS}`,
    folder: instance.folder,
  });
  await using visitor = await connect(again.addresses.rest);
  const { avatar: shown } = await visitor.userByName('ada');
  expect(shown).toBeUndefined();
});
