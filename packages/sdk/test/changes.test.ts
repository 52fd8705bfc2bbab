import {
  scriptedMessage,
  startScriptedLobby,
  type ScriptedLobby,
} from '@hearth/testing/clients/scripted-lobby';
import { witnessOf, type Witness } from '@hearth/testing/clients/witness';
import { expect, test } from 'bun:test';
import { connect, type Client } from '../src/index.ts';

interface Listener {
  readonly client: Client;
  readonly witness: Witness;
  readonly deleted: string[];
  readonly updated: unknown[];
}

async function listening(lobby: ScriptedLobby): Promise<Listener> {
  const client = await connect(lobby.url);
  const deleted: string[] = [];
  const updated: unknown[] = [];
  client.on('messageDelete', ({ id }) => deleted.push(id));
  client.on('messageUpdate', (message) => updated.push(message));
  const witness = witnessOf(client);
  await Promise.all([client.open(), lobby.greet()]);
  return { client, witness, deleted, updated };
}

test('[LB16] a message that is removed or changed is reported', async () => {
  await using lobby = startScriptedLobby();
  const { client, witness, deleted, updated } = await listening(lobby);
  await using _ending = client;
  lobby.emit('MESSAGE_CREATE', scriptedMessage(1));
  lobby.emit('MESSAGE_CREATE', scriptedMessage(2));
  lobby.emit('MESSAGE_DELETE', { id: '1', channel_id: '7' });
  const changed = { ...scriptedMessage(2), content: 'changed' };
  lobby.emit('MESSAGE_UPDATE', changed);
  lobby.emit('MESSAGE_CREATE', scriptedMessage(3));
  await witness.until(() => witness.messages.length === 3);
  expect(deleted).toEqual(['1']);
  expect(updated).toEqual([changed]);
  expect(witness.gaps).toEqual([]);
});

test('[LB16] an event of an unknown kind counts: nothing is requested again', async () => {
  await using lobby = startScriptedLobby();
  const { client, witness } = await listening(lobby);
  await using _ending = client;
  const before = lobby.seen.length;
  lobby.emit('SOMETHING_LATER', { id: '1', emoji: '🔥', count: 1 });
  lobby.emit('MESSAGE_CREATE', scriptedMessage(1));
  await witness.until(() => witness.messages.length === 1);
  expect(lobby.seen.slice(before)).toEqual([]);
});

test('[LB16] a deletion that cannot be parsed is found by reading again', async () => {
  await using lobby = startScriptedLobby();
  const { client, witness, deleted } = await listening(lobby);
  await using _ending = client;
  for (const number of [1, 2]) lobby.emit('MESSAGE_CREATE', scriptedMessage(number));
  await witness.until(() => witness.messages.length === 2);
  lobby.history.push(scriptedMessage(3), scriptedMessage(1));
  lobby.emit('MESSAGE_DELETE', { ids: ['2'] });
  lobby.emit('MESSAGE_CREATE', scriptedMessage(3));
  await witness.until(() => witness.messages.length === 3);
  expect(deleted).toEqual(['2']);
});

test('a message that is removed before a reader gets to it is not delivered to the reader', async () => {
  await using lobby = startScriptedLobby();
  const { client, witness } = await listening(lobby);
  await using _ending = client;
  const messages = client.messages();
  for (const number of [1, 2, 3]) lobby.emit('MESSAGE_CREATE', scriptedMessage(number));
  lobby.emit('MESSAGE_DELETE', { id: '2' });
  lobby.emit('MESSAGE_UPDATE', { ...scriptedMessage(3), content: 'changed' });
  lobby.emit('MESSAGE_CREATE', scriptedMessage(4));
  await witness.until(() => witness.messages.length === 4);
  const read = [await messages.next(), await messages.next(), await messages.next()];
  expect(read.map(({ value }) => value.content)).toEqual(['no. 1', 'changed', 'no. 4']);
});
