import { channelMessageListSchema, channelMessageSchema } from '@hearth/protocol/schemas';
import type { ChannelMessage } from '@hearth/protocol';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import { folderInstance } from '@hearth/testing/instances/folder-instance';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { tempFolder } from '@hearth/testing/temp-folder';
import { expect, test } from 'bun:test';

const TOML = `registration = "open"\n${GENEROUS_LIMITS}`;
const WRITERS = 8;

test('[CM1][CM3] a process that is killed right after replies has stored every message that it answered, once', async () => {
  await using folder = await tempFolder();
  const answered: ChannelMessage[] = [];
  let path = '';
  for (let round = 0; round < 3; round += 1) {
    await using instance = folderInstance(folder.path, TOML, 'rest');
    const rest = await instance.says();
    const at = { addresses: { rest, gateway: rest, files: rest } };
    const ada =
      round === 0 ? await RestPerson.register(at, 'ada') : await RestPerson.signIn(at, 'ada');
    if (round === 0)
      path = `/channels/${(await ada.garden('kept')).channels[0]?.id ?? ''}/messages`;
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
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => post(writer)));
    await killed;
  }
  await using instance = folderInstance(folder.path, TOML, 'rest');
  const rest = await instance.says();
  const ada = await RestPerson.signIn({ addresses: { rest, gateway: rest, files: rest } }, 'ada');
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
}, 60_000);
