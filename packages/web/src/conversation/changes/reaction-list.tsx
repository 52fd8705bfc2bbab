import { drawnEmoji } from '@hearth/sdk';
import type { Reaction } from '@hearth/sdk';
import type { Id } from '@hearth/protocol';
import { useText } from '../../text/use-text.ts';
import { PlusIcon } from '../../ui/action-icons.tsx';
import { useConversation } from '../use-conversation.ts';
import { reactionKey } from './own-changes.ts';
import { setReaction } from './set-reaction.ts';

interface ReactionListProps {
  readonly id: Id;
  readonly reactions: readonly Reaction[];
}

/** The reactions to a message, each with its count. Visitors see them; people with an account press them. */
export function ReactionList({ id, reactions }: ReactionListProps) {
  const conversation = useConversation();
  const { reading: words } = useText();
  const { changes, owner } = conversation;
  const wanted = changes.wanted.value;
  const shown = reactions
    .map((reaction) => asWanted(reaction, wanted.get(reactionKey(id, reaction.emoji))))
    .filter(({ count }) => count > 0);
  const toggle = ({ emoji, mine }: Reaction) => {
    // What failed is shown as it was before.
    setReaction(conversation, { id, emoji }, mine !== true).catch(() => {});
  };
  if (shown.length === 0) return null;
  return (
    <div class="reactions">
      {shown.map((reaction) => {
        const { emoji, count, mine } = reaction;
        const isMine = mine === true;
        const label = words.reaction(drawnEmoji(emoji), count, isMine);
        return owner === undefined ? (
          <span key={emoji} class="reaction" role="img" aria-label={label}>
            {drawnEmoji(emoji)} <span>{count}</span>
          </span>
        ) : (
          <button
            key={emoji}
            type="button"
            class="reaction"
            tabIndex={-1}
            aria-pressed={isMine}
            aria-label={label}
            onClick={() => toggle(reaction)}
          >
            {drawnEmoji(emoji)} <span>{count}</span>
          </button>
        );
      })}
      {owner !== undefined && (
        <button
          type="button"
          class="reaction reaction-more"
          tabIndex={-1}
          aria-label={words.react}
          title={words.react}
          onClick={({ currentTarget: opener }) => {
            changes.acting.value = { kind: 'react', id, opener };
          }}
        >
          <PlusIcon />
        </button>
      )}
    </div>
  );
}

/** A reaction as the reader wants it to be. */
function asWanted(reaction: Reaction, isWanted: boolean | undefined): Reaction {
  const { emoji, count, mine } = reaction;
  if (isWanted === undefined || isWanted === (mine === true)) return reaction;
  return isWanted ? { emoji, count: count + 1, mine: true } : { emoji, count: count - 1 };
}
