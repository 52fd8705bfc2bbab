import { useViews } from '../../lib/views.ts';
import type { MessageEntry } from '../messages/entry.ts';
import { useConversation } from '../use-conversation.ts';
import { useShownPart } from '../use-shown-part.ts';

/**
 * Shows what the reader does with a message in a view that lies over the list. The views are loaded with the first one.
 */
export function ActingOnDemand() {
  const acting = useConversation().changes.acting.value;
  const { messages } = useShownPart();
  const kind = acting?.kind;
  const isOver = kind === 'delete' || kind === 'react' || kind === 'reactions';
  const views = useViews('account', isOver);
  if (acting === undefined || !isOver || views === undefined) return null;
  const isIt = (entry: (typeof messages.entries.value)[number]): entry is MessageEntry =>
    entry.kind === 'message' && entry.id === acting.id;
  const message = messages.entries.value.find(isIt);
  return (
    <>
      {acting.kind === 'delete' && <views.DeleteDialog acting={acting} message={message} />}
      {acting.kind === 'react' && <views.ReactionPicker acting={acting} />}
      {acting.kind === 'reactions' && <views.ReactionsDialog message={message} />}
    </>
  );
}
