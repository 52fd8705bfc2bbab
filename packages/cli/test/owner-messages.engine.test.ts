import { searchContents, untilFound } from '@hearth/testing/clients/history-client';
import { ProfileClient } from '@hearth/testing/clients/profile-client';
import { named } from '@hearth/testing/instances/named';
import type { LobbyMessage } from '@hearth/protocol';
import { messageListSchema } from '@hearth/protocol/schemas';
import { until } from '@hearth/testing/until';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { ChatTerminal } from './support/chat-terminal.ts';
import { Home } from './support/home.ts';
import { messageRequest, upload } from './support/talk.ts';

let home: Home;

beforeEach(async () => {
  home = await Home.make();
  await home.write('instance.toml', named(GENEROUS_LIMITS));
});

afterEach(() => home[Symbol.asyncDispose]());

test('[OP11][OP22] messages list shows the messages of a running instance', async () => {
  await home.startHere();
  expect(await home.runHere(['messages', 'list'])).toEqual({
    exitCode: 0,
    stdout: 'There are no messages.\n',
    stderr: '',
  });
  await post('Hello, hearth!');
  await post('Good evening.');
  const served = await history();
  expect(served.map(({ content }) => content)).toEqual(['Good evening.', 'Hello, hearth!']);
  expect(await listedSoon(2)).toEqual(served.toReversed());
  const { stdout } = await home.runHere(['messages', 'list']);
  const [second, first] = served.map(({ id }) => id);
  expect(stdout).toMatch(
    new RegExp(`^ID .*\\n${first} .* ada +Hello, hearth!\\n${second} .* Good evening\\.\\n$`),
  );
});

test('[LB12][OP11][OP23][SE8] messages remove removes a message from a running instance and its searches at once', async () => {
  await home.start();
  for (const content of ['one', 'two', 'three']) await post(content);
  await untilFound(home, 'one', ['one']);
  const [three, , one] = await history();
  // Removed right after it was posted, when it may not be written to the disk yet.
  expect(await home.run(['messages', 'remove', three?.id ?? ''])).toEqual({
    exitCode: 0,
    stdout: `Removed ${three?.id}\n`,
    stderr: '',
  });
  expect(await history()).toMatchObject([{ content: 'two' }, { content: 'one' }]);
  await expectRemoved(one);
  expect(await history()).toMatchObject([{ content: 'two' }]);
  for (const removed of ['one', 'three']) expect(await searchContents(home, removed)).toEqual([]);
  await untilFound(home, 'two', ['two']);
  expect(await listedSoon(1)).toMatchObject([{ content: 'two' }]);
});

test('[LB24][OP23][OP44] messages remove erases a message from the terminals that show it', async () => {
  await home.startHere();
  // Messages from before it is connected are in the history.
  const tail = home.here(['tail', home.addresses.rest, '--last', '5', '--json']);
  const chat = new ChatTerminal(home, [home.addresses.rest, '--name', 'bob']);
  await chat.sees(({ cursorRow }) => /^bob( \(2 here\))?> \|$/.test(cursorRow));
  for (const content of ['good evening', 'buy now']) await post(content);
  await chat.seesRow('ada: buy now');
  await tail.stdout.find(/buy now/);
  const [spam] = await history();
  await expectRemoved(spam);
  await tail.stdout.find(new RegExp(`"deleted":{"id":"${spam?.id}"}`));
  const { rows } = await chat.seesRow('was removed');
  expect(rows.filter((row) => row.includes('buy now'))).toEqual([]);
  expect(rows.filter((row) => row.endsWith('ada: good evening'))).toHaveLength(1);
});

test('[LB24][OP49][OP50] messages and files of an author leave a running instance, its terminals and its clients at once', async () => {
  await home.startHere();
  const { files } = home.addresses;
  const { id } = await upload(files, 'spam');
  const tail = home.here(['tail', home.addresses.rest, '--last', '5', '--json']);
  using client = await ProfileClient.greeted(home);
  await post('good evening');
  // More than one batch.
  for (let count = 1; count <= 120; count += 1) await post(`buy ${files}/${id}`, 'spammer');
  await tail.stdout.find(/buy/);
  expect((await fetch(`${files}/${id}`)).status).toBe(200);
  // Only messages on the disk have an author for commands.
  await listedSoon(121);
  const remove = ['messages', 'remove', '--author', 'spammer', '--with-files', '--yes'];
  expect(await home.runHere(remove)).toEqual({
    exitCode: 0,
    stdout: 'Removed 120 messages and 1 file\n',
    stderr: '',
  });
  expect((await fetch(`${files}/${id}`)).status).toBe(404);
  expect(await history()).toMatchObject([{ content: 'good evening' }]);
  const [, ...spam] = client.events.map(({ d }) => d.id);
  await client.raw.until(() => client.ops.filter((op) => op === 'MESSAGE_DELETE').length === 120);
  for (const removed of [spam[0], spam.at(-1)]) {
    await tail.stdout.find(new RegExp(`"deleted":{"id":"${removed}"}`));
  }
});

test('[OP51] on a terminal, messages remove asks before it removes messages by author', async () => {
  await home.startHere();
  await post('buy now');
  await listedSoon(1);
  for (const [answer, exitCode, output] of [
    ['n', 1, 'Nothing was removed'],
    ['yes', 0, 'Removed 1 message'],
  ] as const) {
    const command = home.hearth(['messages', 'remove', '--author', 'ada'], {}, 'terminal');
    const question = 'Remove 1 message by ada? [y/N] ';
    await command.stdout.until(() => command.stdout.text.endsWith(question));
    command.type(`${answer}\r`);
    expect((await command.ended).exitCode).toBe(exitCode);
    expect(command.stdout.text).toContain(output);
  }
  expect(await history()).toEqual([]);
});

test('[LB12][OP11][OP23] a message that is removed from a stopped instance is gone after the next start', async () => {
  const instance = await home.start();
  await post('stays');
  await post('goes');
  await instance.stop();
  const [stays, goes] = await listed();
  expect([stays?.content, goes?.content]).toEqual(['stays', 'goes']);
  await expectRemoved(goes);
  await home.startHere();
  await post('comes');
  expect((await history()).map(({ content }) => content)).toEqual(['comes', 'stays']);
});

test('[OP23] removing a message that does not exist fails', async () => {
  await home.startHere();
  await post('hello');
  expect(await home.runHere(['messages', 'remove', '12345'])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'hearth: there is no message 12345: see hearth messages list\n',
  });
  expect(await history()).toMatchObject([{ content: 'hello' }]);
});

async function post(content: string, author?: string): Promise<void> {
  const answer = await fetch(messageRequest(home.addresses.rest, content, author));
  expect(answer.status).toBe(200);
  await answer.bytes();
}

/** Returns what `GET /messages` answers. */
async function history(): Promise<readonly LobbyMessage[]> {
  const answer = await fetch(`${home.addresses.rest}/messages`);
  return messageListSchema.parse(await answer.json());
}

async function listed(): Promise<readonly LobbyMessage[]> {
  const { exitCode, stdout, stderr } = await home.runHere([
    'messages',
    'list',
    '--limit',
    '200',
    '--json',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return messageListSchema.parse(JSON.parse(stdout));
}

/** Lists the messages until there are `count` of them; the test's timeout is the limit. */
async function listedSoon(count: number): Promise<readonly LobbyMessage[]> {
  let messages: readonly LobbyMessage[] = [];
  await until(async () => {
    messages = await listed();
    return messages.length === count;
  });
  return messages;
}

async function expectRemoved(message: LobbyMessage | undefined): Promise<void> {
  const ending = await home.runHere(['messages', 'remove', message?.id ?? '']);
  expect(ending).toEqual({ exitCode: 0, stdout: `Removed ${message?.id}\n`, stderr: '' });
}
