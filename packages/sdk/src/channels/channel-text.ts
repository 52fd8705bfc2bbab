import type { ChannelMessage, FileData, Id, LobbyMessage } from '@hearth/protocol';
import { ValidationError } from '../errors.ts';
import { readQuote, replyTo } from '../quote.ts';
import type { SendOptions } from '../types.ts';
import type { ChannelClient } from './channel-client.ts';
import type { ChannelMessageReceived } from './channel-feed.ts';

/** The names of messages and files in a text. */
export interface TextAddresses {
  /** Undefined if messages have no addresses. */
  messageUrl(id: Id): string | undefined;
  messageIdAt(url: string): Id | undefined;
  fileUrl(file: Pick<FileData, 'id' | 'key'>): string;
  /** The id of a file that needs a key, as those do that belong to messages of channels. */
  keyedFileAt(url: string): Id | undefined;
  /** Returns whether this program has uploaded the file for a message, so that its address is never sent as text. */
  isUploaded?(id: Id): boolean;
}

/** Fields that only messages of channels have: whom and what they name, whether they are pinned, and their posts. */
export type ChannelDetails = Pick<
  ChannelMessage,
  | 'mentions'
  | 'mention_roles'
  | 'mention_channels'
  | 'mention_posts'
  | 'mentions_all'
  | 'pinned'
  | 'kind'
  | 'post_id'
  | 'reply_to'
>;

/** Parts of a text besides its words. */
export interface GivenText {
  readonly content: string;
  readonly reply_to?: Id;
  readonly attachments?: readonly { readonly id: Id }[];
}

/**
 * A message of a channel in the form in which the lobby has it, which is what a conversation shows: with a quote of the message
 * that it replies to, and with the addresses of its files.
 */
export function shownMessage(
  message: ChannelMessage,
  addresses: TextAddresses,
): LobbyMessage & ChannelDetails {
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
    ...detailsOf(message),
  };
}

function detailsOf(message: ChannelMessage): ChannelDetails {
  const { mentions, mention_roles: roles, mention_channels: channels } = message;
  const { mention_posts: posts, kind, post_id: postId } = message;
  return {
    ...(mentions && { mentions }),
    ...(roles && { mention_roles: roles }),
    ...(channels && { mention_channels: channels }),
    ...(message.mentions_all && { mentions_all: true }),
    ...(message.pinned && { pinned: true }),
    ...(posts && { mention_posts: posts }),
    ...(kind && { kind }),
    ...(postId && { post_id: postId }),
    ...(message.reply_to && { reply_to: message.reply_to }),
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

/** A text that was written in a conversation, to be sent to a channel. */
export interface WrittenText {
  readonly content: string;
  readonly nonce?: string | undefined;
  /** The message that it replies to, if the text does not quote it. */
  readonly replyTo?: Id | undefined;
  readonly addresses: TextAddresses;
}

/** Sends what {@link givenText} says. */
export async function sendText(
  channel: Pick<ChannelClient, 'send'>,
  { content, nonce, replyTo: target, addresses }: WrittenText,
  options: SendOptions = {},
): Promise<ChannelMessageReceived> {
  const given = { ...(target && { reply_to: target }), ...givenText(content, addresses) };
  try {
    return await channel.send({ ...given, nonce }, options);
  } catch (error) {
    const isOfOthers = error instanceof ValidationError && error.fieldName === 'attachments';
    if (!isOfOthers || given.attachments === undefined) throw error;
    // A message may have them already: the first answer did not come. As text, everybody would see files that no message owns.
    if (given.attachments.some(({ id }) => addresses.isUploaded?.(id) === true)) throw error;
    // Somebody wrote the address of a file that is not theirs, or that another message has.
    const { attachments: _others, ...rest } = given;
    return channel.send({ ...rest, content, nonce }, options);
  }
}

function quoted(
  text: string,
  { id, author = '', excerpt = '' }: NonNullable<ChannelMessage['reply_to']>,
  addresses: TextAddresses,
): string {
  return replyTo({ author, content: '', excerpt }, text, { url: addresses.messageUrl(id) });
}
