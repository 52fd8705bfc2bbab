import type { LobbyMessage } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../../ports/outbox/outbox.ts';
import { countOf, withChange } from '../../reactions/reactions.ts';
import { replaceMessage, type LockedMessage } from './store.ts';

/** The version of a message after its next change. */
export function nextVersion({ version = 1 }: LobbyMessage): number {
  return version + 1;
}

/** Stores one reaction more or less in a message. Returns how many there are of its kind, and the version from then on. */
export async function setCount(
  tx: EmittingTransaction,
  locked: LockedMessage,
  { emoji, change }: { readonly emoji: string; readonly change: 1 | -1 },
): Promise<{ readonly count: number; readonly version: number }> {
  const { reactions: before = [], ...message } = locked.message;
  const [count, version] = [countOf(before, emoji) + change, nextVersion(message)];
  const reactions = [...withChange(before, emoji, change)];
  const changed = { ...message, version, ...(reactions.length > 0 && { reactions }) };
  await replaceMessage(tx.sql, locked, changed);
  return { count, version };
}
