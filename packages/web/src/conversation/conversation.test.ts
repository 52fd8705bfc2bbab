import {
  createClient,
  parseId,
  type Client,
  type ClientEvents,
  type ReceivedMessage,
} from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import { UNREACHABLE_INFO, unreachableParts } from '../../test/support/unreachable-parts.ts';
import { lobbySource } from '../lobby/lobby-source.ts';
import { nameOfWriter } from './author.ts';
import { submit } from './composer/submit.ts';
import { createConversation, type ConversationIdentity } from './conversation.ts';

const ID = parseId('42') ?? expect.unreachable();

/** A conversation whose messages a test removes. */
function removable(client: Client) {
  const listeners = new Set<(event: ClientEvents['messageDelete']) => void>();
  const identity: ConversationIdentity = {
    source: {
      ...lobbySource(client),
      on: (name, listener) => {
        // Guarantee: a listener of this name takes its events.
        const each = listener as (event: ClientEvents['messageDelete']) => void;
        if (name === 'messageDelete') listeners.add(each);
        return () => listeners.delete(each);
      },
    },
    name: 'garden',
    storageKey: 'garden',
    addressOf: (id) => `/m/12/${id}`,
  };
  const remove = (id: typeof ID) => listeners.forEach((listener) => listener({ id }));
  return { identity, remove, listeners };
}

test('[WC40] a cancelled upload returns to the message box as it was, with what it replies to', async () => {
  await using client = createClient(UNREACHABLE_INFO);
  const parts = unreachableParts(client, new MemoryStorage());
  using attachments = parts.attachments;
  using ownNonces = parts.ownNonces;
  const { identity } = removable(client);
  using conversation = createConversation(identity, { ...parts, attachments, ownNonces });
  const { draft, reply, uploads } = conversation;
  const cancel = () => uploads.cancel(uploads.sending.value[0]?.key ?? '');
  reply.value = { id: ID, author: 'ada', content: 'good *evening*', url: undefined };
  draft.text.value = 'and to you';
  uploads.pick([new File(['x'], 'x.txt')]);
  expect([submit(conversation), draft.text.value]).toEqual(['sent', '']);
  expect(reply.value).toBeUndefined();
  cancel();
  expect(draft.text.value).toBe('and to you');
  expect(reply.value).toMatchObject({ author: 'ada', excerpt: 'good evening' });
  submit(conversation);
  const other = { id: ID, author: 'alan', content: 'hello', url: undefined };
  reply.value = other;
  cancel();
  expect([draft.text.value, reply.value]).toEqual(['and to you', other]);
});

test('[WC40][WC40a] the removal of a message cancels the reply to it, in any part of the history', async () => {
  await using client = createClient(UNREACHABLE_INFO);
  const parts = unreachableParts(client, new MemoryStorage());
  using attachments = parts.attachments;
  using ownNonces = parts.ownNonces;
  const { identity, remove, listeners } = removable(client);
  {
    using conversation = createConversation(identity, { ...parts, attachments, ownNonces });
    const target = { id: ID, author: 'ada', content: 'hello', url: undefined };
    conversation.reply.value = target;
    remove(parseId('7') ?? expect.unreachable());
    expect(conversation.reply.value).toBe(target);
    // It is not among the newest messages, which were never loaded.
    remove(ID);
    expect(conversation.reply.value).toBeUndefined();
  }
  expect(listeners.size).toBe(0);
});

test('[WC390][WC390a] a reply names the author of its message as that message does, and a visitor never as an account', async () => {
  await using client = createClient(UNREACHABLE_INFO);
  const parts = unreachableParts(client, new MemoryStorage());
  using attachments = parts.attachments;
  using ownNonces = parts.ownNonces;
  const idOf = (text: string) => parseId(text) ?? expect.unreachable();
  const [ofAda, ofVisitor, gone] = [idOf('42'), idOf('43'), idOf('7')];
  const user = { id: idOf('5'), username: 'ada', display_name: 'Ada Lovelace' };
  const of = { content: 'hello', created_at: 1 };
  const { identity } = removable(client);
  let announce = (_message: ReceivedMessage) => {};
  const source: ConversationIdentity['source'] = {
    ...identity.source,
    on: (name, listener) => {
      // Guarantee: a listener of this name takes its events.
      if (name === 'message') announce = listener as typeof announce;
      return () => {};
    },
  };
  using conversation = createConversation(
    { ...identity, source },
    { ...parts, attachments, ownNonces },
  );
  conversation.start();
  announce({ ...of, id: ofAda, author: 'ada', user });
  announce({ ...of, id: ofVisitor, author: 'ada' });
  const nameIn = (id: typeof ofAda | undefined) => {
    const target = { id, author: 'ada' };
    return nameOfWriter({ user: conversation.writerOf(target), ...target });
  };
  expect([ofAda, gone, ofVisitor, undefined].map(nameIn)).toEqual([
    'Ada Lovelace',
    'Ada Lovelace',
    'ada',
    'ada',
  ]);
});
