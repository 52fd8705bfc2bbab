import type { Conversation } from '../conversation.ts';
import type { MessageRow } from '../list/timeline.ts';
import { messageUrl } from '../message-url.ts';
import { withoutQuote } from '../reply-target.ts';

/** Begins a reply to a message. */
export function reply(
  conversation: Conversation,
  { id, author, content }: MessageRow['message'],
): void {
  const url = id === undefined ? undefined : messageUrl(conversation, id);
  // A quote of a quote would name the wrong author.
  const text = withoutQuote(conversation, content);
  conversation.reply.value = { id, author, content: text, url };
  conversation.draft.resume();
}
