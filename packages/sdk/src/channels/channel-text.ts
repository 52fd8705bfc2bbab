import type { ChannelMessage, FileData, Id, LobbyMessage } from '@hearth/protocol';
import { readQuote, replyTo } from '../quote.ts';

/** How messages and files are named in a text. */
export interface TextAddresses {
  /** Undefined if messages have no addresses. */
  messageUrl(id: Id): string | undefined;
  messageIdAt(url: string): Id | undefined;
  fileUrl(file: Pick<FileData, 'id' | 'key'>): string;
  /** The id of a file that needs a key, as those do that belong to messages of channels. */
  keyedFileAt(url: string): Id | undefined;
}

/** What a text says besides its words. */
export interface GivenText {
  readonly content: string;
  readonly reply_to?: Id;
  readonly attachments?: readonly { readonly id: Id }[];
}

/**
 * A message of a channel in the form in which the lobby has it, which is what a conversation shows: with a quote of the message
 * that it replies to, and with the addresses of its files.
 */
export function shownMessage(message: ChannelMessage, addresses: TextAddresses): LobbyMessage {
  const { id, content, author, created_at: createdAt, reply_to: target, attachments } = message;
  const { user, edited_at: editedAt, version, reactions } = message;
  const files = (attachments ?? []).map((file) => addresses.fileUrl(file));
  const text = [...(content === '' ? [] : [content]), ...files].join('\n');
  return {
    id,
    author,
    content: target?.author === undefined ? text : quoted(text, target, addresses),
    created_at: createdAt,
    version,
    ...(attachments && { attachments }),
    ...(user && { user }),
    ...(editedAt !== undefined && { edited_at: editedAt }),
    ...(reactions && { reactions }),
  };
}

/** The opposite: what a text that was written in a conversation replies to, which files it has, and its words. */
export function givenText(content: string, addresses: TextAddresses): GivenText {
  const quote = readQuote(content);
  const target = quote?.url === undefined ? undefined : addresses.messageIdAt(quote.url);
  const lines = (quote === undefined || target === undefined ? content : quote.text).split('\n');
  const files: { readonly id: Id }[] = [];
  while (lines.length > 0) {
    const id = addresses.keyedFileAt(lines.at(-1) ?? '');
    if (id === undefined) break;
    files.unshift({ id });
    lines.pop();
  }
  return {
    content: lines.join('\n'),
    ...(target !== undefined && { reply_to: target }),
    ...(files.length > 0 && { attachments: files }),
  };
}

function quoted(
  text: string,
  { id, author = '', excerpt = '' }: NonNullable<ChannelMessage['reply_to']>,
  addresses: TextAddresses,
): string {
  return replyTo({ author, content: excerpt }, text, { url: addresses.messageUrl(id) });
}
