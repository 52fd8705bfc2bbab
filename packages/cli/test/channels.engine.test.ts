import { connect, type Client, type Id } from '@hearth/sdk';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ChatTerminal, ENTER } from './support/chat-terminal.ts';
import { Home } from './support/home.ts';

const PASSWORD = 'correct horse battery';

let instance: TestInstance;
let home: Home;
let ada: Client;
let brendan: Client;
let gardenId: Id;
let channelId: Id;

const rest = () => instance.addresses.rest;
/** Brendan's settings. */
const env = () => ({ XDG_CONFIG_HOME: home.path('config') });
const hearth = (...words: readonly string[]) => home.runHere(words, env());
const send = (place: string, text: string) => hearth('send', rest(), text, '--in', place);

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  home = await Home.make();
  [ada, brendan] = await Promise.all([registered('ada'), registered('brendan')]);
  const garden = await ada.communities.create({
    name: 'Garden',
    slug: 'garden',
    visibility: 'public',
    join: 'open',
  });
  gardenId = garden.id;
  const trees = await ada.communities.channels.create(garden.id, {
    kind: 'messages',
    name: 'Trees',
  });
  channelId = trees.id;
  await ada.communities.create({ name: 'Secret', slug: 'secret', visibility: 'private' });
  await brendan.communities.join(garden.id);
  const login = ['login', rest(), '--user', 'brendan'];
  await home.run(login, { ...env(), HEARTH_PASSWORD: PASSWORD });
});

afterAll(async () => {
  await ada.close();
  await brendan.close();
  await home[Symbol.asyncDispose]();
  await instance[Symbol.asyncDispose]();
});

async function registered(username: string): Promise<Client> {
  const client = await connect(rest());
  await client.register({ username, email: `${username}@example.org`, password: PASSWORD });
  return client;
}

async function newest(): Promise<string | undefined> {
  const [message] = await ada.channel(channelId).history({ limit: 1 });
  return message && `${message.author}: ${message.content}`;
}

test.each(['garden/trees', 'GARDEN/#trees', ' garden/TREES ', 'the id'])(
  '[UC1][UC2] `send --in %j` writes in that channel',
  async (given) => {
    const text = `to ${given}`;
    const place = given === 'the id' ? channelId : given;
    expect(await send(place, text)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(await newest()).toBe(`brendan: ${text}`);
  },
);

test('[UC1] a community alone stands for its first channel', async () => {
  expect(await send('garden', 'to the first')).toMatchObject({ exitCode: 0 });
  const { channels } = (await ada.communities.read()).find(({ slug }) => slug === 'garden') ?? {};
  const first = channels?.find(({ kind }) => kind !== 'category');
  const [message] = first === undefined ? [] : await ada.channel(first.id).history({ limit: 1 });
  expect(message?.content).toBe('to the first');
});

test.each([
  ['moss/trees', '"moss/trees" is neither one of your communities nor a public one'],
  ['secret/trees', '"secret/trees" is neither one of your communities nor a public one'],
  ['garden/moss', 'garden has no channel "moss"'],
  ['7', '"7" is neither one of your communities nor a public one'],
])('[UC3] %s is not known, also if it is hidden', async (place, reason) => {
  const refused = { exitCode: 1, stdout: '', stderr: `hearth: ${reason}\n` };
  expect(await send(place, 'hello')).toEqual(refused);
  expect(await hearth('tail', rest(), '--in', place, '--no-follow')).toEqual(refused);
});

test('[UC3] a name that several channels have names none of them', async () => {
  const { id: twins } = await brendan.communities.create({ name: 'Twins', slug: 'twins' });
  const made = [];
  for (const name of ['same', 'Same']) {
    made.push(await brendan.communities.channels.create(twins, { kind: 'messages', name }));
  }
  const ids = made.map(({ id }) => id).join(', ');
  expect((await send('twins/same', 'hello')).stderr).toBe(
    `hearth: twins has several channels of that name, use the id of one: ${ids}\n`,
  );
});

test('[UC3][SE3] a channel is named as a search would find it, unless another one has the very name', async () => {
  const { id } = await brendan.communities.create({ name: 'Winter', slug: 'winter' });
  const named: Id[] = [];
  for (const name of ['KIŞ', 'kar', 'kâr']) {
    named.push((await brendan.communities.channels.create(id, { kind: 'messages', name })).id);
  }
  for (const [typed, at] of [
    ['kis', 0],
    ['kâr', 2],
    ['KAR', 1],
  ] as const) {
    expect(await send(`winter/${typed}`, typed)).toMatchObject({ exitCode: 0 });
    const meant = brendan.channel(named[at] ?? expect.unreachable());
    expect((await meant.history({ limit: 1 })).map(({ content }) => content)).toEqual([typed]);
  }
});

test('[UC3] channels take messages of accounts only', async () => {
  const place = ['--in', 'garden/trees'];
  const refused = {
    exitCode: 1,
    stdout: '',
    stderr: 'hearth: you are not signed in to Hearth: channels need an account, use hearth login\n',
  };
  const nobody = { XDG_CONFIG_HOME: home.path('empty') };
  expect(await home.runHere(['send', rest(), 'hello', ...place], nobody)).toEqual(refused);
  expect(await home.runHere(['chat', rest(), 'garden/trees'], nobody)).toEqual(refused);
  for (const flag of [['--name', 'eve'], ['--as-guest']]) {
    const { exitCode, stderr } = await hearth('send', rest(), 'hello', ...place, ...flag);
    const text = `hearth: --in needs an account, so leave out ${flag[0]}\n`;
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(text)]);
  }
});

test('[UC10] everyone can read a public community, and only members write there', async () => {
  const { id } = await ada.communities.create({
    name: 'Meadow',
    slug: 'meadow',
    visibility: 'public',
    join: 'open',
  });
  const { id: grassId } = await ada.communities.channels.create(id, {
    kind: 'messages',
    name: 'grass',
  });
  await ada.channel(grassId).send('green');
  const read = ['tail', rest(), '--in', 'meadow/grass', '--no-follow'];
  for (const flags of [[], ['--as-guest']]) {
    const { exitCode, stdout, stderr } = await hearth(...read, ...flags);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\S+Z @ada: green\n$/);
  }
  const byId = await hearth('tail', rest(), '--in', grassId, '--no-follow');
  expect(byId.stdout).toEndWith('green\n');
  expect(await send('meadow/grass', 'me too')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'hearth: only members of meadow can write there\n',
  });
});

test('[UC14] search --in finds messages of a channel, or of a community with the names of its channels', async () => {
  const { id: mapleId } = await ada.communities.channels.create(gardenId, {
    kind: 'messages',
    name: 'maples',
  });
  const found = await ada.channel(mapleId).send('a sycamore maple');
  await ada.channel(channelId).send('a sycamore fig');
  const search = (place: string, ...more: readonly string[]) =>
    hearth('search', rest(), 'sycamore', '--in', place, ...more);
  await until(async () => (await search('garden')).stdout.includes('fig'));
  const { stdout } = await search('garden');
  expect(stdout).toMatch(
    /^\S+Z #maples @ada: a sycamore maple\n\S+Z #Trees @ada: a sycamore fig\n$/,
  );
  expect((await search('garden/maples')).stdout).toMatch(/^\S+Z @ada: a sycamore maple\n$/);
  const json = await search('garden/maples', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ id: found.id, channel_id: mapleId });
  expect(await search('secret')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'hearth: "secret" is neither one of your communities nor a public one\n',
  });
});

test('[UC2] tail prints the messages of a channel, as lines or as the instance gave them', async () => {
  const channel = ada.channel(channelId);
  const oak = await channel.send('Who planted the oak?');
  const reply = await channel.reply(oak, 'A jay.');
  const tail = ['tail', rest(), '--in', 'garden/trees', '--last', '2', '--no-follow'];
  expect((await hearth(...tail)).stdout).toMatch(
    /^\S+Z @ada: Who planted the oak\?\n\S+Z @ada: > \*\*ada\*\*: Who planted the oak\?\\n\\nA jay\.\n$/,
  );
  const { stdout } = await hearth(...tail, '--json');
  const given = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(given).toMatchObject([{ id: oak.id }, { id: reply.id, channel_id: channelId }]);
  expect(given[1]).toMatchObject({ content: 'A jay.', reply_to: { id: oak.id, author: 'ada' } });
});

test('[UC2][UC4] tail follows a channel until the person no longer sees it', async () => {
  const { id: user_id } = await brendan.me();
  const { id: mossId } = await ada.communities.channels.create(gardenId, {
    kind: 'messages',
    name: 'moss',
  });
  const words = ['tail', rest(), '--in', 'garden/moss', '--json', '--last', '1'];
  await ada.channel(mossId).send('before');
  const tail = home.here(words, env());
  await tail.stdout.find(/before/);
  const { id } = await ada.channel(mossId).send('green');
  await tail.stdout.find(/green/);
  await ada.channel(channelId).send('elsewhere');
  await ada.channel(mossId).change(id, 'greener');
  await tail.stdout.find(/"updated"/);
  await ada.channel(mossId).react(id, '🌳');
  await tail.stdout.find(/"reacted"/);
  await ada.channel(mossId).remove(id);
  await tail.stdout.find(/"deleted"/);
  await ada.communities.members.kick({ community_id: gardenId, user_id });
  const { exitCode, stdout, stderr } = await tail.ended;
  expect([exitCode, stderr]).toEqual([1, 'hearth: you no longer see this channel\n']);
  expect(stdout).not.toContain('elsewhere');
  await brendan.communities.join(gardenId);
});

test('[UC4] a refusal in slow mode says when the next message is possible', async () => {
  await ada.communities.channels.create(gardenId, {
    kind: 'messages',
    name: 'slow',
    slow_mode_seconds: 60,
  });
  expect(await send('garden/slow', 'one')).toMatchObject({ exitCode: 0 });
  const { exitCode, stderr } = await send('garden/slow', 'two');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^hearth: slow mode: try again in (?:60|5\d) s\n$/);
});

test('[UC5][UC7][UC9][UC11][UC13] a chat on a terminal goes to channels and back', async () => {
  await ada.channel(channelId).send('come in');
  await brendan.communities.markRead(gardenId);
  const chat = new ChatTerminal(home, [rest(), 'garden/trees'], { env: env() });
  await chat.seesRow('* now in garden/Trees');
  await chat.seesRow('@ada: come in');
  await chat.sees(({ cursorRow }) => cursorRow.startsWith('brendan garden/Trees'));
  const writing = Promise.withResolvers<string>();
  ada.on('typing', ({ user }) => writing.resolve(user.username));
  const watched = Promise.withResolvers<void>();
  ada.on('watched', () => watched.resolve());
  ada.watch({ channels: [channelId] });
  await ada.open();
  await watched.promise;
  chat.type('who is there?');
  expect(await writing.promise).toBe('brendan');
  await ada.channel(channelId).typing();
  await chat.sees(({ cursorRow }) => cursorRow.includes(' (@ada is writing)> who is there?'));
  chat.type(ENTER);
  await chat.seesRow('@brendan: who is there?');
  chat.type(`/reply 2 thank you${ENTER}`);
  await chat.seesRow('@brendan: ↪ ada: come in');
  await ada.channel(channelId).send('me');
  await chat.seesRow('@ada: me');
  chat.type(`/channels${ENTER}`);
  await chat.seesRow('* > garden/Trees');
  chat.type('/join lo');
  await chat.sees(({ cursorRow }) => cursorRow.endsWith('/join lo|'));
  chat.type('\t');
  await chat.sees(({ cursorRow }) => cursorRow.endsWith('/join lobby |'));
  chat.type(ENTER);
  await chat.seesRow('* now in the lobby');
  await ada.channel(channelId).send('gone already?');
  await chat.sees(({ cursorRow }) => /^brendan.* \+1> \|$/.test(cursorRow));
  chat.type(`/quit${ENTER}`);
  expect((await chat.process.ended).exitCode).toBe(0);
});

test('[UC5] a chat in a pipe sends its lines to the channel', async () => {
  const chat = home.here(['chat', rest(), 'garden/trees'], env());
  chat.write('one line\n');
  chat.endInput();
  const { exitCode, stdout, stderr } = await chat.ended;
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^\S+Z @brendan: one line\n$/);
  expect(await newest()).toBe('brendan: one line');
});

test('[UC4] a refusal says which permission is missing, or until when somebody is timed out', async () => {
  const { id: user_id } = await brendan.me();
  const member = { community_id: gardenId, user_id };
  const { id: ruins } = await ada.communities.channels.create(gardenId, {
    kind: 'messages',
    name: 'ruins',
  });
  await ada.communities.channels.setOverwrite(
    { channel_id: ruins, id: gardenId },
    { kind: 'role', allow: [], deny: ['SEND_MESSAGES'] },
  );
  const refused = (stderr: string) => ({ exitCode: 1, stdout: '', stderr });
  expect(await send('garden/ruins', 'hello')).toEqual(
    refused('hearth: you may not do this: you lack the permission SEND_MESSAGES\n'),
  );
  const timed_out_until = Date.now() + 600_000;
  await ada.communities.members.change(member, { timed_out_until });
  expect(await send('garden/trees', 'hello')).toEqual(
    refused(expect.stringMatching(/^hearth: you are timed out until 20\S+ \S+ UTC\n$/)),
  );
  await ada.communities.members.change(member, { timed_out_until: null });
});
