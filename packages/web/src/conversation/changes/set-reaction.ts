import type { Id } from '@hearth/protocol';
import { NotFoundError } from '@hearth/sdk';
import type { Conversation } from '../conversation.ts';
import { reactionKey } from './own-changes.ts';

/** Adds or takes back a reaction of the reader. It is shown at once, and is gone again if that fails; then this throws. */
export async function setReaction(
  { source, changes }: Pick<Conversation, 'source' | 'changes'>,
  { id, emoji }: { readonly id: Id; readonly emoji: string },
  isWanted: boolean,
): Promise<void> {
  const key = reactionKey(id, emoji);
  changes.want(key, isWanted);
  try {
    const reaction = await (isWanted
      ? source.addReaction({ id, emoji })
      : source.removeReaction({ id, emoji }));
    changes.show({ kind: 'reaction', id, reaction });
  } catch (error) {
    // It was taken back elsewhere.
    if (isWanted || !(error instanceof NotFoundError)) throw error;
  } finally {
    changes.want(key, undefined);
  }
}
