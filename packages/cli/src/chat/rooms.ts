import {
  HearthError,
  mentionsName,
  type IncomingMessage,
  type Notification,
  type PostedMessage,
  type ReceivedMessage,
} from '@hearth/sdk';
import { channelSource } from './channel-source.ts';
import { LOBBY } from './chat-commands.ts';
import { Conversation } from './conversation.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { channelPlaces, everyPlace, findChannel, placeName } from './find-channel.ts';
import { concernNotice, mentionNotice } from './mention-notice.ts';
import { lobbySource, type MessageSource } from './message-source.ts';
import { isAnnounced, listPlaces, unreadElsewhere, type Unread } from './unread-places.ts';
import { reasonOf, type Account } from './with-client.ts';
import { Writers } from './writers.ts';

/** Many messages change what is unread, and the prompt shows it at most this often. */
const PROMPT_INTERVAL_MS = 50;

/** The time that the end of a chat waits until the instance knows what was read. */
const MARK_PATIENCE_MS = 1_000;

/** The parts of a chat. `source` is where it begins. */
export interface RoomsOptions extends Omit<ConversationOptions, 'elsewhere' | 'writers'> {
  /** Undefined for a guest. */
  readonly account: Account | undefined;
}

/** The conversations of a chat. One is shown at a time; what was typed in the others before is still sent there. */
export class Rooms implements Disposable {
  readonly #options: RoomsOptions;
  readonly #all: Conversation[] = [];
  readonly #listeners: (() => void)[];
  readonly #writers: Writers;
  #conversation: Conversation;
  /** The number of messages that have come to the lobby since it was left. */
  #lobbyNews = 0;
  #promptTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: RoomsOptions) {
    this.#options = options;
    const { client, face } = options;
    const onNews = () => this.#showPromptSoon();
    this.#writers = new Writers({ client, onChange: onNews });
    this.#conversation = this.#made(options.source);
    this.#listeners = [
      client.on('message', (message) => this.#postedInLobby(message)),
      client.on('channelMessage', (posted) => this.#postedInChannel(posted)),
      client.on('notification', (notification) => void this.#concerned(notification)),
      client.on('readState', onNews),
      client.on('community', onNews),
      client.on('communityRemoved', onNews),
      client.on('channelRemoved', onNews),
    ];
    face.setPlaces(() => channelPlaces(client.communities.all()).map(placeName));
    face.onTyping((line) => {
      const isText = line !== '' && (!line.startsWith('/') || line.startsWith('//'));
      if (isText) this.#conversation.source.typing();
    });
  }

  /** The one that is shown. */
  get conversation(): Conversation {
    return this.#conversation;
  }

  /** The number of messages and files that are not sent yet. */
  get unsent(): number {
    return this.#all.reduce((sum, { unsent }) => sum + unsent, 0);
  }

  /** The number of messages and files that could not be sent. */
  get failures(): number {
    return this.#all.reduce((sum, { failures }) => sum + failures, 0);
  }

  /** Begins to show messages. Resolves after the first attempt to reach the gateway. */
  begin(): Promise<void> {
    if (this.#conversation.source.place !== undefined) this.#announce();
    return this.#conversation.begin();
  }

  /** Shows another channel, or the lobby. What cannot be shown is reported. */
  async join(given: string): Promise<void> {
    const { client, account } = this.#options;
    if (given.toLowerCase() === LOBBY) {
      this.#show(lobbySource(client));
      return;
    }
    await this.#reporting(async () => {
      this.#show(channelSource(client, await findChannel(client, given, account)));
    });
  }

  /** Lists where the user can go, and what is unread there. */
  async list(): Promise<void> {
    const { client, face, account } = this.#options;
    await this.#reporting(async () => {
      if (account !== undefined && !client.communities.isLoaded) await client.communities.read();
      face.notice(listPlaces(client, this.#unread));
    });
  }

  /** Resolves when everything is sent. */
  async sent(): Promise<void> {
    await Promise.all(this.#all.map((each) => each.sent()));
  }

  /** Resolves when everything is sent, and what was sent has come back or is late. */
  async settled(): Promise<void> {
    await Promise.all(this.#all.map((each) => each.settled()));
  }

  /** Cancels the messages that are not sent yet. Each is reported. */
  drop(): void {
    for (const each of this.#all) each.drop();
  }

  /** Informs the instance of what was read. */
  async marked(): Promise<void> {
    const sources = this.#all.map(({ source }) => source);
    if (sources.every(({ place }) => place === undefined)) return;
    this.#options.client.flushReadMarks();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, MARK_PATIENCE_MS);
    await Promise.race([Promise.all(sources.map((source) => source.marked())), late.promise]);
    clearTimeout(timer);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#promptTimer);
    this.#writers[Symbol.dispose]();
    for (const stopListening of this.#listeners) stopListening();
    for (const each of this.#all) each[Symbol.dispose]();
  }

  get #unread(): Unread {
    const { place } = this.#conversation.source;
    return { lobby: this.#lobbyNews, hereId: place?.channel.id };
  }

  #made(source: MessageSource): Conversation {
    const { client } = this.#options;
    const elsewhere = () => unreadElsewhere(client, this.#unread);
    const writers = () => this.#writers.in(source.place?.channel.id);
    const conversation = new Conversation({ ...this.#options, source, elsewhere, writers });
    this.#all.push(conversation);
    return conversation;
  }

  #show(source: MessageSource): void {
    const before = this.#conversation;
    if (source.place?.channel.id === before.source.place?.channel.id) {
      this.#options.face.notice('you are already there');
      return;
    }
    before.leave();
    if (source.place === undefined) this.#lobbyNews = 0;
    this.#conversation = this.#made(source);
    this.#announce();
    void this.#conversation.begin();
  }

  #announce(): void {
    const { face } = this.#options;
    const { place, isReadOnly } = this.#conversation.source;
    if (!face.isInteractive) return;
    const where = place === undefined ? 'the lobby' : placeName(place);
    const mode = isReadOnly ? ', which you can only read: you are not a member' : '';
    face.notice(`now in ${where}${mode}`);
  }

  async #reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof HearthError)) throw error;
      this.#options.face.notice(reasonOf(error));
    }
  }

  #postedInLobby(message: IncomingMessage): void {
    if (message.isOwn || this.#conversation.source.place === undefined) return;
    this.#lobbyNews += 1;
    this.#showPromptSoon();
    if (mentionsName(message.content, this.#options.author)) this.#mentioned(message, 'the lobby');
  }

  #postedInChannel({ message, isMention }: PostedMessage): void {
    if (!isMention) return;
    const { client, author } = this.#options;
    const place = channelPlaces(client.communities.all()).find(
      ({ channel }) => channel.id === message.channel_id,
    );
    if (place === undefined) return;
    if (message.channel_id !== this.#conversation.source.place?.channel.id) {
      if (isAnnounced(client, place)) this.#mentioned(message, placeName(place));
    } else if (!mentionsName(message.content, author)) {
      // The conversation itself rings for names.
      this.#options.face.ring();
    }
  }

  /** A reply, or a post or comment that mentions the person. Messages that mention them come by themselves. Never rejects. */
  async #concerned({ id, kind, message_id: messageId, channel_id: channelId }: Notification) {
    const { client, face } = this.#options;
    const isMessage = messageId !== undefined;
    const isShown = isMessage && channelId === this.#conversation.source.place?.channel.id;
    const place = everyPlace(client.communities.all()).find(
      ({ channel }) => channel.id === channelId,
    );
    if (place === undefined || isShown || (isMessage && kind === 'mention')) return;
    if (!face.isInteractive || !isAnnounced(client, place)) return;
    await this.#reporting(async () => {
      const found = (await client.notifications.list()).find((each) => each.id === id);
      if (found === undefined) return;
      face.notice(concernNotice(found, placeName(place)));
      face.ring();
    });
  }

  #mentioned(message: ReceivedMessage, where: string): void {
    const { face } = this.#options;
    if (!face.isInteractive) return;
    face.notice(mentionNotice(message, where));
    face.ring();
  }

  #showPromptSoon(): void {
    this.#promptTimer ??= setTimeout(() => {
      this.#promptTimer = undefined;
      this.#conversation.showPrompt();
    }, PROMPT_INTERVAL_MS);
  }
}
