import type { Id } from '@hearth/protocol';
import { useText } from '../../text/use-text.ts';
import { hasId } from '../messages/entry.ts';
import { useConversation } from '../use-conversation.ts';
import { useShownPart } from '../use-shown-part.ts';

/** While the reader chooses messages: whether this one is chosen. The whole message is its target. */
export function SelectBox({ id }: { readonly id: Id | undefined }) {
  const { selection } = useConversation();
  const { messages } = useShownPart();
  const { reading: words } = useText();
  const ids = selection?.ids.value;
  if (id === undefined || selection === undefined || ids === undefined) return null;
  const isChosen = ids.has(id);
  return (
    <label class="select-box">
      <input
        type="checkbox"
        aria-label={words.select}
        checked={isChosen}
        disabled={!isChosen && selection.isFull}
        onClick={(event) => {
          const known = messages.entries.peek().filter(hasId);
          if (event.shiftKey)
            selection.extend(
              id,
              known.map((entry) => entry.id),
            );
          else selection.toggle(id);
        }}
      />
    </label>
  );
}
