import { parseId, type Id } from '@hearth/protocol';
import { createClient } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import {
  UNREACHABLE,
  UNREACHABLE_INFO,
  unreachableParts,
} from '../../test/support/unreachable-parts.ts';
import { createConversation } from '../conversation/conversation.ts';
import { createLobby } from './create-lobby.ts';
import { lobbySource } from './lobby-source.ts';

/** Returns what an earlier page stored for the lobby of this instance. */
function storedBefore(): MemoryStorage {
  const local = new MemoryStorage();
  const item = { key: 'n', author: 'ada', content: 'on its way', createdAtMs: 1, isUnsent: true };
  local.setItem(`hearth.draft.${UNREACHABLE}`, 'half a sentence');
  local.setItem(
    `hearth.outbox.${UNREACHABLE}.page`,
    JSON.stringify({ savedAtMs: 0, items: [item] }),
  );
  return local;
}

test('[WC22] the lobby has the draft and the messages that browsers stored before there were other conversations', async () => {
  await using client = createClient(UNREACHABLE_INFO);
  const parts = unreachableParts(client, storedBefore());
  using attachments = parts.attachments;
  using ownNonces = parts.ownNonces;
  using lobby = createLobby({ ...parts, attachments, ownNonces });
  expect(lobby.draft.text.value).toBe('half a sentence');
  expect(lobby.outbox.pending.value.map(({ content }) => content)).toEqual(['on its way']);
});

test('[WC22] another conversation has neither, and its own draft does not reach the lobby', async () => {
  await using client = createClient(UNREACHABLE_INFO);
  const local = storedBefore();
  const parts = unreachableParts(client, local);
  using attachments = parts.attachments;
  using ownNonces = parts.ownNonces;
  const identity = {
    source: lobbySource(client),
    name: 'garden',
    storageKey: `${UNREACHABLE} 12`,
    addressOf: (id: string) => `/m/12/${id}`,
  };
  {
    using other = createConversation(identity, { ...parts, attachments, ownNonces });
    expect([other.draft.text.value, other.outbox.pending.value]).toEqual(['', []]);
    other.draft.text.value = 'about plants';
    expect(other.charactersLeft.value).toBe(UNREACHABLE_INFO.message_limit - 'about plants'.length);
  }
  using again = createConversation(identity, { ...parts, attachments, ownNonces });
  expect(again.draft.text.value).toBe('about plants');
  expect(local.getItem(`hearth.draft.${UNREACHABLE}`)).toBe('half a sentence');
});

test('[WC113] the count of characters leaves room for the key of a file of an account', async () => {
  await using client = createClient(UNREACHABLE_INFO);
  const leftOf = (owner: Id | undefined) => {
    const parts = unreachableParts(client, new MemoryStorage());
    using attachments = parts.attachments;
    using ownNonces = parts.ownNonces;
    using lobby = createLobby({ ...parts, attachments, ownNonces, owner });
    lobby.uploads.pick([new File(['x'], 'x.txt')]);
    return lobby.charactersLeft.value;
  };
  const [visitor, account] = [leftOf(undefined), leftOf(parseId('7'))];
  expect(visitor - account).toBe(`?key=${'0'.repeat(32)}`.length);
});
