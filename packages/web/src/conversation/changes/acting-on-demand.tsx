import { useAccountView } from '../../account/use-account-view.ts';
import type { MessageEntry } from '../messages/entry.ts';
import { useConversation } from '../use-conversation.ts';
import { useShownPart } from '../use-shown-part.ts';

/** What the reader does with a message in a view that lies over the list. The views are loaded with the first one. */
export function ActingOnDemand() {
  const acting = useConversation().changes.acting.value;
  const { messages } = useShownPart();
  const kind = acting?.kind;
  const isOver = kind === 'delete' || kind === 'react' || kind === 'reactions';
  const Delete = useAccountView('DeleteDialog', isOver);
  const Picker = useAccountView('ReactionPicker', isOver);
  const Reactions = useAccountView('ReactionsDialog', isOver);
  if (acting === undefined || !isOver) return null;
  const isIt = (entry: (typeof messages.entries.value)[number]): entry is MessageEntry =>
    entry.kind === 'message' && entry.id === acting.id;
  const message = messages.entries.value.find(isIt);
  return (
    <>
      {acting.kind === 'delete' && Delete && <Delete acting={acting} message={message} />}
      {acting.kind === 'react' && Picker && <Picker acting={acting} />}
      {acting.kind === 'reactions' && Reactions && <Reactions message={message} />}
    </>
  );
}
