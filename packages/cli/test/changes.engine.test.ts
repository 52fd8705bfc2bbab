import {
  scriptedMessage,
  startScriptedLobby,
  type ScriptedLobby,
} from '@hearth/testing/clients/scripted-lobby';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { ChatTerminal, CTRL_L } from './support/chat-terminal.ts';
import { Home } from './support/home.ts';

const REMOVED = /^\* a message by ada \(\d\d:\d\d\) was removed$/;

let home: Home;
let lobby: ScriptedLobby;

beforeEach(async () => {
  home = await Home.make();
  lobby = startScriptedLobby();
});

afterEach(async () => {
  await home[Symbol.asyncDispose]();
  await lobby[Symbol.asyncDispose]();
});

async function chatOf(columns: number): Promise<ChatTerminal> {
  const chat = new ChatTerminal(home, [lobby.url, '--name', 'bob'], { columns });
  await lobby.greet();
  await chat.seesPrompt('bob> |');
  return chat;
}

/** The rows of a terminal without their times. */
const plain = (rows: readonly string[]) => rows.map((row) => row.replace(/^\d\d:\d\d /, ''));

const create = (number: number, content: string) =>
  lobby.emit('MESSAGE_CREATE', { ...scriptedMessage(number), content });

const update = (number: number, content: string) =>
  lobby.emit('MESSAGE_UPDATE', { ...scriptedMessage(number), content });

test('[OP44] a removed message is erased from the terminal, and a notice takes its place', async () => {
  const chat = await chatOf(30);
  create(1, 'first');
  create(2, `secret ${'x'.repeat(40)}\nof two lines`);
  create(3, 'third 日本');
  chat.type('half a line');
  await chat.seesRow('ada: third 日本');
  await chat.seesPrompt('bob> half a line|');
  lobby.emit('MESSAGE_DELETE', { id: '2' });
  const { rows } = await chat.sees(
    (view) => view.rows.join('').includes('was removed') && view.cursorRow === 'bob> half a line|',
  );
  const texts = plain(rows).filter((row) => row !== '');
  expect(texts.slice(texts.indexOf('ada: first'))).toEqual([
    'ada: first',
    expect.stringMatching(/^\* a message by ada \(\d\d:\d\d\) was$/),
    ' removed',
    'ada: third 日本',
    'bob> half a line',
  ]);
  create(4, 'fourth');
  const { rows: last } = await chat.seesRow('ada: fourth');
  expect(plain(last.filter((row) => row !== '')).slice(-3, -1)).toEqual([
    'ada: third 日本',
    'ada: fourth',
  ]);
});

test.each([
  [
    'scrolled away',
    async (chat: ChatTerminal) => {
      for (let number = 2; number <= 60; number += 1) create(number, `no. ${number}`);
      await chat.seesRow('ada: no. 60');
    },
  ],
  [
    'wrapped again',
    async (chat: ChatTerminal) => {
      chat.process.resize(60);
      create(2, 'after');
      await chat.seesRow('ada: after');
    },
  ],
  [
    'cleared',
    async (chat: ChatTerminal) => {
      chat.type(`x${CTRL_L}`);
      await chat.sees(({ rows }) => !rows.some((row) => row.endsWith('ada: first')));
      create(2, 'after');
      await chat.seesRow('ada: after');
    },
  ],
])('[OP44] the removal of a message that may be %s is reported below', async (_what, moves) => {
  const chat = await chatOf(80);
  create(1, 'first');
  await chat.seesRow('ada: first');
  await moves(chat);
  const before = chat.view.rows;
  lobby.emit('MESSAGE_DELETE', { id: '1' });
  const { rows } = await chat.sees((view) => view.rows.some((row) => REMOVED.test(row)));
  expect(rows.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  expect(rows.findIndex((row) => REMOVED.test(row))).toBeGreaterThanOrEqual(before.length - 1);
});

test('[OP44] tail --json prints a removal on its own line', async () => {
  lobby.history.push(scriptedMessage(1));
  const tail = home.here(['tail', lobby.url, '--last', '1', '--json']);
  await lobby.greet();
  await tail.stdout.find(/no\. 1/);
  lobby.emit('MESSAGE_DELETE', { id: '1' });
  lobby.emit('MESSAGE_CREATE', scriptedMessage(2));
  await tail.stdout.find(/no\. 2/);
  expect(tail.stdout.entries).toEqual([
    { ...scriptedMessage(1) },
    { deleted: { id: '1' } },
    { ...scriptedMessage(2) },
  ]);
});

test('[OP44][OP45] a removal or a change prints nothing if messages are lines of text', async () => {
  const tail = home.here(['tail', lobby.url]);
  await lobby.greet();
  const chat = home.here(['chat', lobby.url, '--name', 'bob']);
  await lobby.greet();
  create(1, 'one');
  update(1, 'changed');
  lobby.emit('MESSAGE_DELETE', { id: '1' });
  create(2, 'two');
  for (const { stdout, stderr } of [tail, chat]) {
    await stdout.find(/two/);
    expect(stdout.all.map((line) => line.replace(/^.*Z /, ''))).toEqual(['ada: one', 'ada: two']);
    expect(stderr.text).toBe('');
  }
});

test('[OP45] a changed message is printed in its place on the terminal, marked as edited', async () => {
  const chat = await chatOf(40);
  create(1, 'first');
  create(2, 'a long text '.repeat(5));
  create(3, 'third');
  await chat.seesRow('ada: third');
  update(2, 'short');
  update(2, 'shorter\nof two lines');
  const { rows } = await chat.seesRow('ada (edited): shorter');
  const texts = plain(rows).filter((row) => row !== '');
  expect(texts.slice(texts.indexOf('ada: first'))).toEqual([
    'ada: first',
    'ada (edited): shorter',
    '      of two lines',
    'ada: third',
    'bob>',
  ]);
  lobby.emit('MESSAGE_DELETE', { id: '2' });
  const { rows: last } = await chat.sees((view) => view.rows.some((row) => REMOVED.test(row)));
  expect(last.join()).not.toContain('edited');
});

test('[OP45] a changed message that has scrolled away is printed below, but not one that was never shown', async () => {
  const chat = await chatOf(80);
  for (let number = 1; number <= 60; number += 1) create(number, `no. ${number}`);
  await chat.seesRow('ada: no. 60');
  update(99, 'never shown');
  update(1, 'changed');
  const { rows } = await chat.seesRow('ada (edited): changed');
  expect(plain(rows.filter((row) => row !== '')).slice(-3, -1)).toEqual([
    'ada: no. 60',
    'ada (edited): changed',
  ]);
  expect(rows.join()).not.toContain('never shown');
});

test('[OP45] tail --json prints a change on its own line', async () => {
  const tail = home.here(['tail', lobby.url, '--json']);
  await lobby.greet();
  create(1, 'one');
  update(1, 'two');
  create(2, 'three');
  await tail.stdout.find(/three/);
  expect(tail.stdout.entries).toEqual([
    { ...scriptedMessage(1), content: 'one' },
    { updated: { ...scriptedMessage(1), content: 'two' } },
    { ...scriptedMessage(2), content: 'three' },
  ]);
});
