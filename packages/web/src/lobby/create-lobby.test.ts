import { signal } from '@preact/signals';
import { createClient, type Client, type ConnectionState, type InstanceInfo } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { manualClock } from '@hearth/testing/manual-clock';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import { Attachments } from '../conversation/attachments/attachments.ts';
import { createConversation, type ConversationParts } from '../conversation/conversation.ts';
import { OwnMessages } from '../conversation/messages/own-messages.ts';
import { OwnNonces } from '../conversation/outbox/own-nonces.ts';
import { createLobby } from './create-lobby.ts';
import { lobbySource } from './lobby-source.ts';

const REST = 'http://home.test:7159';

const INFO: InstanceInfo = {
  instance_name: 'Home',
  description: null,
  version: '0.3.2',
  message_limit: 100,
  oprish_url: REST,
  pandemonium_url: 'ws://home.test:7160',
  effis_url: 'http://home.test:7161',
  file_size: 1,
  attachment_file_size: 1,
};

/** What an earlier page stored for the lobby of this instance. */
function storedBefore(): MemoryStorage {
  const local = new MemoryStorage();
  const item = { key: 'n', author: 'ada', content: 'on its way', createdAtMs: 1, isUnsent: true };
  local.setItem(`hearth.draft.${REST}`, 'half a sentence');
  local.setItem(`hearth.outbox.${REST}.page`, JSON.stringify({ savedAtMs: 0, items: [item] }));
  return local;
}

/** The parts of an unreachable instance. */
function partsWith(client: Client, local: Storage): ConversationParts {
  const offline: ConnectionState = { state: 'idle' };
  return {
    client,
    connection: {
      state: signal(offline),
      online: signal(undefined),
      isOnline: signal(false),
      isReachable: signal(false),
      reconnectNow: () => {},
      [Symbol.dispose]: () => {},
    },
    attachments: new Attachments(client),
    author: signal('ada'),
    ownNonces: new OwnNonces(REST),
    ownMessages: new OwnMessages(local, REST),
    storages: { local, session: new MemoryStorage() },
    clock: { ...manualClock(), now: () => 1_000_000 },
  };
}

test('[WC22] the lobby has the draft and the messages that browsers stored before there were other conversations', async () => {
  await using client = createClient(INFO);
  const parts = partsWith(client, storedBefore());
  using attachments = parts.attachments;
  using ownNonces = parts.ownNonces;
  using lobby = createLobby({ ...parts, attachments, ownNonces });
  expect(lobby.draft.text.value).toBe('half a sentence');
  expect(lobby.outbox.pending.value.map(({ content }) => content)).toEqual(['on its way']);
});

test('[WC22] another conversation has neither, and its own draft does not reach the lobby', async () => {
  await using client = createClient(INFO);
  const local = storedBefore();
  const parts = partsWith(client, local);
  using attachments = parts.attachments;
  using ownNonces = parts.ownNonces;
  const identity = {
    source: lobbySource(client),
    name: 'garden',
    storageKey: `${REST} 12`,
    addressOf: (id: string) => `/m/12/${id}`,
  };
  {
    using other = createConversation(identity, { ...parts, attachments, ownNonces });
    expect([other.draft.text.value, other.outbox.pending.value]).toEqual(['', []]);
    other.draft.text.value = 'about plants';
    expect(other.charactersLeft.value).toBe(INFO.message_limit - 'about plants'.length);
  }
  using again = createConversation(identity, { ...parts, attachments, ownNonces });
  expect(again.draft.text.value).toBe('about plants');
  expect(local.getItem(`hearth.draft.${REST}`)).toBe('half a sentence');
});
