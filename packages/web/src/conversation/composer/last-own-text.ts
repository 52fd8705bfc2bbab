import type { Conversation } from '../conversation.ts';

/** The text of the newest message that was written here, without its files; undefined if none is loaded. */
export function lastOwnText(
  { outbox, messages }: Pick<Conversation, 'outbox' | 'messages'>,
  textOf: (content: string) => string,
): string | undefined {
  const isOwn = (entry: (typeof messages.entries.value)[number]) =>
    entry.kind === 'message' && entry.isOwn;
  const pending = outbox.pending.peek().at(-1);
  const newest = messages.entries.peek().findLast(isOwn);
  const content = pending?.content ?? (newest?.kind === 'message' ? newest.content : undefined);
  const text = content === undefined ? '' : textOf(content);
  return text === '' ? undefined : text;
}
