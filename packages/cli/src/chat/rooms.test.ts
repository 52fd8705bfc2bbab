import { connect, memoryTokens, type Client, type Id, type TokenStorage } from '@hearth/sdk';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { findChannel } from './find-channel.ts';
import { channelSource } from './channel-source.ts';
import type { Face } from './face.ts';
import { lobbySource } from './message-source.ts';
import { Rooms } from './rooms.ts';
import { TerminalFormat } from './terminal-format.ts';

let instance: TestInstance;
let ada: Client;
let brendan: Client;
/** The device of brendan's that the chat runs on. */
let device: Client;
const brendanTokens = memoryTokens();
let gardens = 0;
/** The names of a community of ada's and its channels, which are new for each test. */
let garden: { readonly slug: string; readonly id: Id; readonly trees: Id; readonly moss: Id };
let noted: string[] = [];
let prompt = '';
let type: (line: string) => void = () => {};
let places: () => readonly string[] = () => [];

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await registered('ada', memoryTokens());
  brendan = await registered('brendan', brendanTokens);
});

beforeEach(async () => {
  noted = [];
  gardens += 1;
  const slug = `garden-${gardens}`;
  const { id, channels } = await ada.communities.create({
    name: 'Garden',
    slug,
    visibility: 'public',
    join: 'open',
  });
  for (const channel of channels) await ada.communities.channels.remove(channel.id);
  const [trees, moss] = await Promise.all(
    ['trees', 'moss'].map((name) =>
      ada.communities.channels.create(id, { kind: 'messages', name }),
    ),
  );
  await brendan.communities.join(id);
  garden = { slug, id, trees: trees?.id ?? id, moss: moss?.id ?? id };
  // It connects after brendan has joined, so it misses nothing of the community.
  device = await connect(instance.addresses.rest, { tokens: brendanTokens });
  await device.open();
  await until(async () => device.communities.isLoaded);
});

afterEach(async () => {
  await device.close();
  await brendan.communities.leave(garden.id).catch(() => {});
});

afterAll(async () => {
  await ada.close();
  await brendan.close();
  await instance[Symbol.asyncDispose]();
});

async function registered(username: string, tokens: TokenStorage): Promise<Client> {
  const client = await connect(instance.addresses.rest, { tokens });
  const password = 'correct horse battery';
  await client.register({ username, email: `${username}@example.org`, password });
  return client;
}

function notedFace(): Face {
  const format = new TerminalFormat({ isColoured: false, hasLinks: false, idOf: () => undefined });
  return {
    isInteractive: true,
    typed: { next: () => Promise.resolve({ done: true, value: undefined }) },
    left: new AbortController().signal,
    setPrompt: (given) => (prompt = given),
    show: (message) => noted.push(format.message(message, 0).slice(6)),
    update: (message) => noted.push(format.edited(message, 0).slice(6)),
    remove: ({ content }) => noted.push(`removed ${content}`),
    notice: (text) => noted.push(`* ${text}`),
    onTyping: (listener) => (type = listener),
    setPlaces: (given) => (places = given),
    ring: () => noted.push('bell'),
    clear: () => {},
    finish: () => Promise.resolve(0),
  };
}

/** Brendan's chat, which begins in a channel or the lobby. */
async function chat(place?: string): Promise<Rooms> {
  const source =
    place === undefined
      ? lobbySource(device)
      : channelSource(device, await findChannel(device, place, { username: 'brendan' }));
  const openFile = () => Promise.reject(new Error('not used'));
  const account = { username: 'brendan' };
  const face = notedFace();
  const rooms = new Rooms({ client: device, account, source, face, author: 'brendan', openFile });
  await rooms.begin();
  return rooms;
}

const comes = (text: string) => until(async () => noted.includes(text));
const prompts = (text: string) => until(async () => prompt === text);

test('[UC5] a chat in a channel shows its history and what happens there, and sends there', async () => {
  const trees = ada.channel(garden.trees);
  const oak = await trees.send('Who planted the oak?');
  using rooms = await chat(`${garden.slug}/trees`);
  await comes('@ada: Who planted the oak?');
  expect(noted[0]).toBe(`* now in ${garden.slug}/trees`);
  const { id } = await trees.reply(oak, 'A jay.');
  await comes('@ada: ↪ ada: Who planted the oak?\n      A jay.');
  await trees.change(id, 'A squirrel.');
  await comes('@ada (edited): ↪ ada: Who planted the oak?\n      A squirrel.');
  await trees.react(oak.id, '🌳');
  await comes('@ada: Who planted the oak?\n      🌳 1');
  await trees.remove(id);
  await until(async () => noted.some((line) => line.startsWith('removed ')));
  rooms.conversation.say('Nobody knows.');
  await comes('@brendan: Nobody knows.');
  rooms.conversation.changes.edit('Nobody knew.');
  await comes('@brendan (edited): Nobody knew.');
  const [newest] = await trees.history({ limit: 1 });
  expect(newest?.content).toBe('Nobody knew.');
});

test('[UC5] /join shows another channel and no longer the one before, and /lobby leads back', async () => {
  const [trees, moss] = [ada.channel(garden.trees), ada.channel(garden.moss)];
  using rooms = await chat();
  await rooms.join(`${garden.slug}/moss`);
  await moss.send('green');
  await comes('@ada: green');
  rooms.conversation.say('typed in moss');
  await rooms.join(`${garden.slug}/trees`);
  rooms.conversation.say('typed in trees');
  await comes('@brendan: typed in trees');
  await rooms.settled();
  expect((await moss.history({ limit: 1 }))[0]?.content).toBe('typed in moss');
  await moss.send('greener');
  await trees.send('tall');
  await comes('@ada: tall');
  expect(noted).not.toContain('@ada: greener');
  await rooms.join('moss');
  await rooms.join(`${garden.slug}/trees`);
  expect(noted.slice(-2)).toEqual([
    '* "moss" is neither one of your communities nor a public one',
    '* you are already there',
  ]);
  await rooms.join('Lobby');
  expect(prompt).toStartWith('brendan');
  expect(prompt).not.toContain('/');
  rooms.conversation.say('in the lobby');
  await comes('@brendan: in the lobby');
  expect((await trees.history({ limit: 1 }))[0]?.content).toBe('tall');
});

test('[UC5] what is typed in a channel that is gone goes nowhere else', async () => {
  using rooms = await chat(`${garden.slug}/trees`);
  const { id: user_id } = await brendan.me();
  await ada.communities.members.kick({ community_id: garden.id, user_id });
  await comes(`* you no longer see ${garden.slug}/trees: /lobby leads to the lobby`);
  rooms.conversation.say('secret');
  await rooms.sent();
  expect(rooms.failures).toBe(1);
  const lobby = await brendan.rest.listMessages({});
  expect(lobby.some(({ content }) => content === 'secret')).toBe(false);
});

test('[UC6][UC7] the prompt and /channels show what is unread elsewhere', async () => {
  using rooms = await chat(`${garden.slug}/trees`);
  const { slug } = garden;
  await prompts(`brendan ${slug}/trees> `);
  await ada.channel(garden.moss).send('hello @brendan');
  await prompts(`brendan ${slug}/trees +1 @1> `);
  await ada.send({ author: 'ada', content: 'anybody there?' });
  await prompts(`brendan ${slug}/trees +2 @1> `);
  await ada.channel(garden.trees).send('here');
  await comes('@ada: here');
  await rooms.list();
  expect(noted.at(-1)?.split('\n')).toEqual([
    '*   lobby 1 new',
    `> ${slug}/trees`,
    `  ${slug}/moss unread @1`,
  ]);
  expect(places()).toEqual([`${slug}/trees`, `${slug}/moss`]);
  await rooms.join(`${slug}/moss`);
  await comes('@ada: hello @brendan');
  await prompts(`brendan ${slug}/moss +1> `);
  await rooms.join('lobby');
  await comes('@ada: anybody there?');
  await until(async () => prompt === 'brendan> ');
});

test('[UC8] what was shown is read on all devices, at the latest when the chat ends', async () => {
  await using other = await connect(instance.addresses.rest, { tokens: brendanTokens });
  await other.open();
  using rooms = await chat(`${garden.slug}/trees`);
  const trees = ada.channel(garden.trees);
  const first = await trees.send('one');
  await comes('@ada: one');
  const readId = () => other.channel(garden.trees).readState.last_read_id;
  await until(async () => readId() === first.id);
  // The next mark waits, because the first one was just sent.
  const { id } = await trees.send('two');
  await comes('@ada: two');
  await rooms.marked();
  await until(async () => readId() === id);
});

test('[UC11] a reply is a message that replies, and in the lobby one that quotes', async () => {
  const trees = ada.channel(garden.trees);
  const oak = await trees.send('Who planted the oak?');
  await trees.send('Or the elm?');
  using rooms = await chat(`${garden.slug}/trees`);
  await comes('@ada: Or the elm?');
  rooms.conversation.reply(2, 'A jay.');
  await comes('@brendan: ↪ ada: Who planted the oak?\n      A jay.');
  const [newest] = await trees.history({ limit: 1 });
  expect(newest).toMatchObject({ content: 'A jay.', reply_to: { id: oak.id } });
  rooms.conversation.reply(9, 'nothing');
  expect(noted.at(-1)).toBe('* there is no such message');
  await rooms.join('lobby');
  await ada.send({ author: 'ada', content: 'good evening' });
  await comes('@ada: good evening');
  rooms.conversation.reply(1, 'and to you');
  await comes('@brendan: ↪ ada: good evening\n      and to you');
});

test('[UC12] a mention elsewhere is announced with a bell, unless it is muted there', async () => {
  const { slug } = garden;
  using _rooms = await chat(`${slug}/trees`);
  const moss = ada.channel(garden.moss);
  await moss.send('nobody');
  await moss.send('come here, **@brendan**');
  await comes(`* @ada mentions you in ${slug}/moss: come here, @brendan`);
  await ada.send({ author: 'ada', content: 'or here, @brendan' });
  await comes('* @ada mentions you in the lobby: or here, @brendan');
  expect(noted.filter((line) => line === 'bell')).toHaveLength(2);
  await brendan.channel(garden.moss).setNotifications({ level: 'none' });
  await until(async () => device.channel(garden.moss).notificationSetting?.level === 'none');
  await moss.send('@brendan?');
  await ada.channel(garden.trees).send('look, @all');
  await comes('@ada: look, @all');
  await until(async () => noted.filter((line) => line === 'bell').length === 3);
  expect(noted.some((line) => line.endsWith('@brendan?'))).toBe(false);
});

test('[UC12] a reply elsewhere, and a post or comment that mentions or replies, is announced with its words', async () => {
  const { slug } = garden;
  const about = { kind: 'posts', name: 'questions' } as const;
  const questions = await ada.communities.channels.create(garden.id, about);
  const asked = await brendan.posts.create(questions.id, { title: 'Which pears?' });
  const said = await brendan.channel(garden.moss).send('who is there?');
  using _rooms = await chat(`${slug}/trees`);
  await ada.channel(garden.moss).reply(said, 'I am');
  await comes(`* @ada replies to you in ${slug}/moss: I am`);
  await ada.posts.comments.create(asked.id, { content: '*Conference*, or ||Williams||' });
  await comes(`* @ada replies to you in ${slug}/questions, “Which pears?”: Conference, or ▇▇▇`);
  await ada.posts.create(questions.id, { title: 'Plums', content: 'for @brendan' });
  await comes(`* @ada mentions you in ${slug}/questions, “Plums”: for @brendan`);
  expect(noted.filter((line) => line === 'bell')).toHaveLength(3);
});

test('[UC13] the prompt shows who else is writing, and others see that the user is', async () => {
  const { slug } = garden;
  using _rooms = await chat(`${slug}/trees`);
  const [atTrees] = [ada.channel(garden.trees)];
  const seen: string[] = [];
  await ada.open();
  ada.on('typing', ({ user }) => void seen.push(user.username));
  ada.watch({ channels: [garden.trees] });
  await until(async () => {
    await atTrees.typing();
    return prompt === `brendan ${slug}/trees (@ada is writing)> `;
  });
  await atTrees.send('now it is written');
  await prompts(`brendan ${slug}/trees> `);
  type('/join');
  type('');
  expect(seen).toEqual([]);
  type('h');
  await until(async () => seen.length > 0);
  expect(seen).toEqual(['brendan']);
});

test.each([true, false])(
  '[UC10] a public community is read by somebody who is not a member (account: %j)',
  async (isSignedIn) => {
    const { slug } = garden;
    await brendan.communities.leave(garden.id);
    await using client = await connect(instance.addresses.rest, {
      tokens: isSignedIn ? brendanTokens : memoryTokens(),
    });
    using rooms = new Rooms({
      client,
      account: isSignedIn ? { username: 'brendan' } : undefined,
      source: lobbySource(client),
      face: notedFace(),
      author: 'brendan',
      openFile: () => Promise.reject(new Error('not used')),
    });
    await rooms.begin();
    const trees = ada.channel(garden.trees);
    await trees.send('for everyone');
    await rooms.join(`${slug}/trees`);
    await comes(`* now in ${slug}/trees, which you can only read: you are not a member`);
    await comes('@ada: for everyone');
    await trees.send('and live');
    await comes('@ada: and live');
    await prompts(`brendan ${slug}/trees (read only)> `);
    rooms.conversation.say('me too');
    await comes(`* not sent (only members of ${slug} can write there): me too`);
    await ada.communities.change(garden.id, { visibility: 'private', join: 'invite' });
    await rooms.join('lobby');
    await rooms.join(`${slug}/trees`);
    await comes(
      isSignedIn
        ? `* "${slug}/trees" is neither one of your communities nor a public one`
        : `* "${slug}/trees" is no public community: use hearth login to see your own`,
    );
  },
);

test('[UC6] a guest has no channels of their own', async () => {
  await using guest = await connect(instance.addresses.rest);
  using rooms = new Rooms({
    client: guest,
    account: undefined,
    source: lobbySource(guest),
    face: notedFace(),
    author: 'eve',
    openFile: () => Promise.reject(new Error('not used')),
  });
  await rooms.list();
  expect(noted).toEqual(['* > lobby']);
});
