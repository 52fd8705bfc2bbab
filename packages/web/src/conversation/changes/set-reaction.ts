import type { Id } from '@hearth/protocol';
import { NotFoundError, RateLimitedError } from '@hearth/sdk';
import type { ConversationSource } from '../conversation-source.ts';
import { reactionKey, type OwnChanges } from './own-changes.ts';

interface Setting {
  readonly source: Pick<ConversationSource, 'addReaction' | 'removeReaction'>;
  readonly changes: OwnChanges;
}

/** Adds or takes back a reaction of the reader. It is shown at once, and is gone again if that fails; then this throws. */
export async function setReaction(
  { source, changes }: Setting,
  { id, emoji }: { readonly id: Id; readonly emoji: string },
  isWanted: boolean,
): Promise<void> {
  const key = reactionKey(id, emoji);
  changes.want(key, isWanted);
  changes.failure.value = undefined;
  try {
    const reaction = await (isWanted
      ? source.addReaction({ id, emoji })
      : source.removeReaction({ id, emoji }));
    changes.show({ kind: 'reaction', id, reaction });
  } catch (error) {
    // It was taken back elsewhere.
    if (!isWanted && error instanceof NotFoundError) return;
    if (error instanceof RateLimitedError) changes.failure.value = error;
    throw error;
  } finally {
    // Unless the reader has changed their mind meanwhile.
    if (changes.wanted.peek().get(key) === isWanted) changes.want(key, undefined);
  }
}
