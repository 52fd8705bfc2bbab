import type { ReadonlySignal, Signal } from '@preact/signals';
import {
  countCodePoints,
  quoteOf,
  readQuote,
  replyTo,
  type Id,
  type Quotable,
  type Quote,
} from '@hearth/sdk';
import type { Draft } from '../writing/draft.ts';
import { messageIdAt, type Addressed } from './message-url.ts';

/** The message that the reader is replying to. */
export interface ReplyTarget {
  readonly id: Id | undefined;
  readonly author: string;
  readonly content: string;
  /** Its beginning in plain text, if only that is known. */
  readonly excerpt?: string | undefined;
  /** Its address, if it has one. */
  readonly url: string | undefined;
}

interface Replying {
  readonly reply: ReadonlySignal<ReplyTarget | undefined>;
  readonly charactersLeft: ReadonlySignal<number>;
}

interface Written {
  readonly draft: Pick<Draft, 'putBack'>;
  readonly reply: Signal<ReplyTarget | undefined>;
}

/** The text as it is sent, after the quote of the message that it replies to; the quote is shortened if there is no room. */
export function withReply({ reply, charactersLeft }: Replying, text: string): string {
  const target = reply.peek();
  if (target === undefined) return text;
  const messageLimit = charactersLeft.peek() + countCodePoints(text);
  return replyTo(target, text, { url: target.url, messageLimit });
}

/** A message without its text, and the quote that it begins with. */
export interface ShownQuote extends Quote {
  /** The quoted message. */
  readonly id: Id | undefined;
}

/** The quote at the beginning of a message. Undefined if it has none, or links to another place: then it is shown as written. */
export function quoteIn(
  conversation: Addressed,
  content: string,
  root?: string,
): ShownQuote | undefined {
  const quote = readQuote(content);
  if (quote?.url === undefined) return quote && { ...quote, id: undefined };
  const id = messageIdAt(conversation, quote.url, root);
  return id === undefined ? undefined : { ...quote, id };
}

/** A message without the quote that it begins with. */
export function withoutQuote(conversation: Addressed, content: string): string {
  return quoteIn(conversation, content)?.text ?? content;
}

/** Puts the content of a message back into the message box; its quote becomes a reply again, if there is no other. */
export function putBack(conversation: Addressed & Written, content: string): void {
  const { draft, reply } = conversation;
  const quote = quoteIn(conversation, content);
  draft.putBack(quote?.text ?? content);
  if (quote === undefined || reply.peek() !== undefined) return;
  const { id, author, excerpt, url } = quote;
  reply.value = { id, author, content: '', excerpt, url };
}

/** Returns what a quote of the message would say, in plain text. */
export function excerptOf(message: Quotable): string {
  return readQuote(quoteOf(message))?.excerpt ?? '';
}
