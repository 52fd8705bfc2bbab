import type {
  ChannelMessage,
  Id,
  MessageVersion,
  NotificationChoice,
  NotificationSetting,
  Reaction,
  UserSummary,
} from '@hearth/protocol';
import type { ReadMark } from '../communities/events.ts';
import type { MyChannel } from '../communities/my-community.ts';
import { newNonce } from '../lobby/nonce.ts';
import type { MessageStream } from '../message-stream.ts';
import type { MessageQuery } from '../messages.ts';
import type { MessagesOptions, RequestOptions, SendOptions } from '../types.ts';
import type { ChannelContext } from './channel-context.ts';
import type { ChannelEvents, IncomingChannelMessage } from './channel-events.ts';
import type { ChannelMessageReceived } from './channel-feed.ts';
import { ChannelFollowing } from './channel-following.ts';
import * as messages from './channel-messages.ts';
import type { NewChannelMessage } from './channel-messages.ts';
import * as reading from './reading.ts';
import {
  searchChannels,
  type ChannelSearchPage,
  type ChannelSearchQuery,
} from './search-channels.ts';

/** The least time between two reports that somebody writes. */
const TYPING_INTERVAL_MS = 5_000;

/**
 * One channel: its messages, and what the person who is signed in does there. While there is a listener or a reader, every
 * message of the channel comes once and in order, or a gap is reported. All requests throw the typed errors of RestClient; a
 * channel that the person does not see is a NotFoundError.
 */
export class ChannelClient {
  readonly id: Id;
  readonly #context: ChannelContext;
  readonly #following: ChannelFollowing;
  #typedAtMs = -Infinity;

  /** @internal */
  constructor(id: Id, context: ChannelContext) {
    this.id = id;
    this.#context = context;
    this.#following = new ChannelFollowing(id, context);
  }

  /** The channel as it is known; undefined if it is none of the person's communities, or was not listed yet. */
  get info(): MyChannel | undefined {
    return this.#context.store.channel(this.id);
  }

  /** The point up to which the person has read it. */
  get readState(): ReadMark {
    return this.#context.readStates.of(this.id);
  }

  /** The person's choice for it; undefined if that for the community holds. */
  get notificationSetting(): NotificationSetting | undefined {
    return this.#context.readStates.setting(this.id);
  }

  /** True if its messages come, and none so far is missing. */
  get isCurrent(): boolean {
    return this.#following.isCurrent;
  }

  /** Calls `listener` with every event of that name until the returned function is called. Follows the channel meanwhile. */
  on<Name extends keyof ChannelEvents>(
    name: Name,
    listener: (event: ChannelEvents[Name]) => void,
  ): () => void {
    return this.#following.on(name, listener);
  }

  /**
   * Messages from now on, each once and in order; opens the gateway. The iteration ends as that of `client.messages()`, and
   * when the channel can no longer be seen.
   *
   * @example for await (const { isOwn, id } of channel.messages()) if (!isOwn) await channel.react(id, '👍');
   */
  messages(options: MessagesOptions = {}): MessageStream<IncomingChannelMessage> {
    return this.#following.messages(options);
  }

  /** Resolves when its messages come. Only necessary for a channel of a community of which the person is not a member. */
  open(options: RequestOptions = {}): Promise<void> {
    return this.#following.open(options);
  }

  /**
   * Lists stored messages, the newest first. While the channel is followed, the page shows everything that has come; messages
   * that are still to come may be in it, too.
   */
  history(
    query: MessageQuery = {},
    options: RequestOptions = {},
  ): Promise<readonly ChannelMessage[]> {
    return this.#following.page(query, options);
  }

  /**
   * Searches its messages, the newest first.
   *
   * @example const { messages, next } = await channel.search({ text: 'good eve', from: 'ada' });
   */
  search(query: ChannelSearchQuery, options: RequestOptions = {}): Promise<ChannelSearchPage> {
    return searchChannels(this.#api, { ...query, in: this.id }, options);
  }

  /** One message. */
  message(id: Id, options: RequestOptions = {}): Promise<ChannelMessage> {
    return messages.readChannelMessage(this.#api, this.#of(id), options);
  }

  /**
   * Posts a message. If no answer comes, it is sent again, and still posted once. If slow mode refuses it, it fails with a
   * RateLimitedError; messages to other channels go on.
   *
   * @example await channel.send('good evening');
   */
  send(
    message: string | NewChannelMessage,
    options: SendOptions = {},
  ): Promise<ChannelMessageReceived> {
    const draft = typeof message === 'string' ? { content: message } : message;
    const { nonce = newNonce() } = draft;
    return messages.createChannelMessage(
      this.#api,
      { ...draft, channel_id: this.id, nonce },
      options,
    );
  }

  /** Posts a reply to a message. */
  reply(
    to: { readonly id: Id },
    message: string | NewChannelMessage,
    options: SendOptions = {},
  ): Promise<ChannelMessageReceived> {
    const draft = typeof message === 'string' ? { content: message } : message;
    return this.send({ ...draft, reply_to: to.id }, options);
  }

  /** Counts the people whom a text would mention, at most 1,000, so that a program can warn before it is sent. */
  reach(content: string, options: RequestOptions = {}): Promise<number> {
    return messages.countReach(this.#api, { channel_id: this.id, content }, options);
  }

  /** Changes the text of one of the person's own messages. */
  change(id: Id, content: string, options: RequestOptions = {}): Promise<ChannelMessage> {
    return messages.changeChannelMessage(this.#api, { ...this.#of(id), content }, options);
  }

  /** Deletes a message; moderators may delete those of others. */
  remove(id: Id, options: RequestOptions = {}): Promise<void> {
    return messages.deleteChannelMessage(this.#api, this.#of(id), options);
  }

  /** Deletes up to 100 messages; for moderators. */
  removeMany(ids: readonly Id[], options: RequestOptions = {}): Promise<void> {
    return messages.deleteChannelMessages(this.#api, { channel_id: this.id, ids }, options);
  }

  /** Lists the former contents of a message, the newest first; for moderators. `before` is the number of a version. */
  versions(
    id: Id,
    {
      signal,
      ...query
    }: RequestOptions & { readonly before?: number; readonly limit?: number } = {},
  ): Promise<readonly MessageVersion[]> {
    return messages.listMessageVersions(this.#api, { ...this.#of(id), ...query }, { signal });
  }

  /** Reacts to a message. */
  react(id: Id, emoji: string, options: RequestOptions = {}): Promise<Reaction> {
    const reaction = { ...this.#of(id), emoji, isSet: true };
    return messages.setChannelReaction(this.#api, reaction, options);
  }

  /** Takes a reaction back. */
  unreact(id: Id, emoji: string, options: RequestOptions = {}): Promise<Reaction> {
    const reaction = { ...this.#of(id), emoji, isSet: false };
    return messages.setChannelReaction(this.#api, reaction, options);
  }

  /** Lists who reacted to a message with an emoji, the newest account first. */
  listReacted(
    id: Id,
    emoji: string,
    { signal, ...query }: RequestOptions & Omit<MessageQuery, 'around'> = {},
  ): Promise<readonly UserSummary[]> {
    return messages.listChannelReacted(this.#api, { ...this.#of(id), emoji, ...query }, { signal });
  }

  /** The pinned messages. */
  pins(options: RequestOptions = {}): Promise<readonly ChannelMessage[]> {
    return messages.listPins(this.#api, this.id, options);
  }

  pin(id: Id, options: RequestOptions = {}): Promise<void> {
    return messages.setPin(this.#api, { ...this.#of(id), isSet: true }, options);
  }

  unpin(id: Id, options: RequestOptions = {}): Promise<void> {
    return messages.setPin(this.#api, { ...this.#of(id), isSet: false }, options);
  }

  /** The person writes: those who watch the channel are shown that. Call it with each change; it sends seldom. */
  async typing(options: RequestOptions = {}): Promise<void> {
    const nowMs = this.#context.clock.now();
    if (Math.abs(nowMs - this.#typedAtMs) < TYPING_INTERVAL_MS) return;
    this.#typedAtMs = nowMs;
    await reading.sendTyping(this.#api, this.id, options);
  }

  /**
   * The person has read up to this message. It shows at once; the instance is informed at most every 5 seconds. An older mark is
   * ignored. Resolves when the instance knows.
   */
  async markRead(id: Id): Promise<void> {
    const { readStates, marks } = this.#context;
    if (!readStates.readHere(this.id, id)) return;
    await marks.mark(this.id, id);
  }

  /** Marks this message and those after it as unread: `id` is the one before it. */
  async markUnread(id: Id, options: RequestOptions = {}): Promise<void> {
    const mark = { channel_id: this.id, last_read_id: id, unread: true } as const;
    this.#context.readStates.set(await reading.markChannel(this.#api, mark, options));
  }

  /** Chooses of what the channel notifies the person; without a level, what was chosen for the community holds. */
  async setNotifications(
    choice: NotificationChoice,
    options: RequestOptions = {},
  ): Promise<NotificationSetting> {
    const place = { kind: 'channels', id: this.id } as const;
    const setting = await reading.setNotifications(this.#api, { ...choice, ...place }, options);
    this.#context.readStates.chosen(setting);
    return setting;
  }

  get #api(): ChannelContext['api'] {
    return this.#context.api;
  }

  #of(id: Id): messages.MessageOf {
    return { channel_id: this.id, id };
  }
}
