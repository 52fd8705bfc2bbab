import type { Conversation } from '../conversation.ts';
import type { MessageEntry } from '../messages/entry.ts';
import { withoutQuote } from '../reply-target.ts';

/** The text of the newest message that was written here, without its quote and files; undefined if none is loaded. */
export function lastOwnText(
  conversation: Pick<Conversation, 'addressOf'> & {
    readonly outbox: Pick<Conversation['outbox'], 'pending'>;
    readonly messages: Pick<Conversation['messages'], 'entries'>;
  },
  textOf: (content: string) => string,
): string | undefined {
  const { outbox, messages } = conversation;
  const isOwn = (entry: (typeof messages.entries.value)[number]) =>
    entry.kind === 'message' && entry.isOwn;
  const pending = outbox.pending.peek().at(-1);
  const newest = messages.entries.peek().findLast(isOwn);
  const content = pending?.content ?? (newest?.kind === 'message' ? newest.content : undefined);
  const text = content === undefined ? '' : textOf(withoutQuote(conversation, content));
  return text === '' ? undefined : text;
}

/** The newest message of the reader, if nothing of theirs is on its way; undefined if none is loaded. */
export function lastOwnMessage({
  outbox,
  messages,
}: Pick<Conversation, 'outbox' | 'messages'>): MessageEntry | undefined {
  if (outbox.pending.peek().length > 0) return undefined;
  const newest = messages.entries
    .peek()
    .findLast((entry) => entry.kind === 'message' && entry.isOwn);
  return newest?.kind === 'message' ? newest : undefined;
}
