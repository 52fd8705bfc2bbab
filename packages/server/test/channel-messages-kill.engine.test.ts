import {
  channelListSchema,
  channelMessageListSchema,
  channelMessageSchema,
  channelSchema,
  readStateListSchema,
  readStateSchema,
  roleListSchema,
  roleSchema,
} from '@hearth/protocol/schemas';
import type { Channel, ChannelMessage, ReadState, Role } from '@hearth/protocol';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import { folderInstance } from '@hearth/testing/instances/folder-instance';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { tempFolder } from '@hearth/testing/temp-folder';
import { expect, test } from 'bun:test';

const TOML = `registration = "open"\n${GENEROUS_LIMITS}`;
const WRITERS = 8;

test('[CM1][CM3][RD1] a process that is killed right after replies has stored every message that it answered, once, and every channel, role and read mark', async () => {
  await using folder = await tempFolder();
  const answered: ChannelMessage[] = [];
  const channels: Channel[] = [];
  const roles: Role[] = [];
  let mark: ReadState | undefined;
  let community = '';
  let path = '';
  for (let round = 0; round < 3; round += 1) {
    await using instance = folderInstance(folder.path, TOML, 'rest');
    const rest = await instance.says();
    const at = { addresses: { rest, gateway: rest, files: rest } };
    const ada =
      round === 0 ? await RestPerson.register(at, 'ada') : await RestPerson.signIn(at, 'ada');
    const bob =
      round === 0 ? await RestPerson.register(at, 'bob') : await RestPerson.signIn(at, 'bob');
    if (round === 0) {
      const garden = await ada.garden('kept', { visibility: 'public' });
      community = `/communities/${garden.id}`;
      path = `/channels/${garden.channels[0]?.id ?? ''}/messages`;
      await bob.ask('PUT', `${community}/members/me`);
    }
    let killed: Promise<void> | undefined;
    const post = async (writer: number) => {
      for (let turn = 0; ; turn += 1) {
        const content = `${round} ${writer} ${turn}`;
        const sent = ada.ask('POST', path, { content, nonce: content });
        const answer = await sent.then((reply) => reply.json()).catch(() => undefined);
        if (answer === undefined) return;
        answered.push(channelMessageSchema.parse(answer));
        if (turn === 4) killed ??= instance.kill();
      }
    };
    const change = async () => {
      for (let turn = 0; ; turn += 1) {
        const name = `${round} ${turn}`;
        const channel = await read(
          ada.ask('POST', `${community}/channels`, { kind: 'messages', name }),
        );
        if (channel === undefined) return;
        channels.push(channelSchema.parse(channel));
        const role = await read(ada.ask('POST', `${community}/roles`, { name }));
        if (role === undefined) return;
        roles.push(roleSchema.parse(role));
      }
    };
    const readOn = async () => {
      for (;;) {
        const last_read_id = answered.at(-1)?.id ?? '1';
        const state = await read(
          bob.ask('PUT', path.replace('messages', 'read'), { last_read_id }),
        );
        if (state === undefined) return;
        mark = readStateSchema.parse(state);
      }
    };
    const posting = Array.from({ length: WRITERS }, (_, writer) => post(writer));
    await Promise.all([...posting, change(), readOn()]);
    await killed;
  }
  await using instance = folderInstance(folder.path, TOML, 'rest');
  const rest = await instance.says();
  const at = { addresses: { rest, gateway: rest, files: rest } };
  const ada = await RestPerson.signIn(at, 'ada');
  const bob = await RestPerson.signIn(at, 'bob');
  const last = answered.at(-1);
  if (last === undefined) throw new Error('nothing was answered');
  // The same nonce again.
  const again = { content: 'other', nonce: last.content };
  expect(await ada.ok(channelMessageSchema, 'POST', path, again)).toEqual(last);
  const stored = new Map<string, ChannelMessage>();
  for (let before: string | undefined; ;) {
    const query = before === undefined ? '' : `&before=${before}`;
    const page = await ada.ok(channelMessageListSchema, 'GET', `${path}?limit=100${query}`);
    for (const message of page) stored.set(message.id, message);
    before = page.at(-1)?.id;
    if (before === undefined) break;
  }
  expect(answered.length).toBeGreaterThan(WRITERS);
  for (const message of answered) expect(stored.get(message.id)).toEqual(message);
  expect(new Set([...stored.values()].map(({ content }) => content)).size).toBe(stored.size);
  const [keptChannels, keptRoles, [last1]] = [
    await ada.ok(channelListSchema, 'GET', `${community}/channels`),
    await ada.ok(roleListSchema, 'GET', `${community}/roles`),
    await bob.ok(readStateListSchema, 'GET', '/users/me/read-states'),
  ];
  expect(Math.min(channels.length, roles.length)).toBeGreaterThan(0);
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  expect(ids(keptChannels)).toEqual(expect.arrayContaining(ids(channels)));
  expect(ids(keptRoles)).toEqual(expect.arrayContaining(ids(roles)));
  if (mark === undefined || last1 === undefined) throw new Error('nothing was read');
  expect(BigInt(last1.last_read_id) >= BigInt(mark.last_read_id)).toBe(true);
}, 120_000);

/** Resolves with what a request was answered; undefined if the process was killed first. */
async function read(asked: Promise<Response>): Promise<unknown> {
  return await asked.then((reply) => reply.json()).catch(() => undefined);
}
