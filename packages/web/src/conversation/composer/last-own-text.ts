import type { Conversation } from '../conversation.ts';
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
