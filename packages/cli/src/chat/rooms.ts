import { HearthError } from '@hearth/sdk';
import { channelSource } from './channel-source.ts';
import { LOBBY } from './chat-commands.ts';
import { Conversation } from './conversation.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { channelPlaces, findChannel, placeName } from './find-channel.ts';
import { lobbySource, type MessageSource } from './message-source.ts';
import { listPlaces, unreadElsewhere, type Unread } from './unread-places.ts';
import { reasonOf, type Account } from './with-client.ts';

/** Many messages change what is unread, and the prompt shows it at most this often. */
const PROMPT_INTERVAL_MS = 50;

/** How long the end of a chat waits until the instance knows what was read. */
const MARK_PATIENCE_MS = 1_000;

/** The parts of a chat. `source` is where it begins. */
export interface RoomsOptions extends Omit<ConversationOptions, 'elsewhere'> {
  /** Undefined for a guest. */
  readonly account: Account | undefined;
}

/** The conversations of a chat. One is shown at a time; what was typed in the others before is still sent there. */
export class Rooms implements Disposable {
  readonly #options: RoomsOptions;
  readonly #all: Conversation[] = [];
  readonly #listeners: (() => void)[];
  #conversation: Conversation;
  /** How many messages have come to the lobby since it was left. */
  #lobbyNews = 0;
  #promptTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: RoomsOptions) {
    this.#options = options;
    this.#conversation = this.#made(options.source);
    const { client, face } = options;
    const onNews = () => this.#showPromptSoon();
    this.#listeners = [
      client.on('message', ({ isOwn }) => this.#postedInLobby(isOwn)),
      client.on('readState', onNews),
      client.on('community', onNews),
      client.on('communityRemoved', onNews),
      client.on('channelRemoved', onNews),
    ];
    face.setPlaces(() => channelPlaces(client.communities.all()).map(placeName));
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
    const { client, face } = this.#options;
    if (given.toLowerCase() === LOBBY) {
      this.#show(lobbySource(client));
      return;
    }
    await this.#withCommunities(() => {
      try {
        this.#show(channelSource(client, findChannel(client.communities.all(), given)));
      } catch (error) {
        if (!(error instanceof HearthError)) throw error;
        face.notice(reasonOf(error));
      }
    });
  }

  /** Lists where the user can go, and what is unread there. */
  async list(): Promise<void> {
    const { client, face } = this.#options;
    await this.#withCommunities(() => face.notice(listPlaces(client, this.#unread)));
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
    const conversation = new Conversation({ ...this.#options, source, elsewhere });
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
    const { place } = this.#conversation.source;
    if (face.isInteractive)
      face.notice(`now in ${place === undefined ? 'the lobby' : placeName(place)}`);
  }

  /** Calls `use` when the communities of the user are known: at once, if the gateway has listed them. */
  async #withCommunities(use: () => void): Promise<void> {
    const { client, face, account } = this.#options;
    if (account === undefined) {
      face.notice('channels need an account: use hearth login');
      return;
    }
    try {
      if (!client.communities.isLoaded) await client.communities.read();
    } catch (error) {
      if (!(error instanceof HearthError)) throw error;
      face.notice(reasonOf(error));
      return;
    }
    use();
  }

  #postedInLobby(isOwn: boolean): void {
    if (isOwn || this.#conversation.source.place === undefined) return;
    this.#lobbyNews += 1;
    this.#showPromptSoon();
  }

  #showPromptSoon(): void {
    this.#promptTimer ??= setTimeout(() => {
      this.#promptTimer = undefined;
      this.#conversation.showPrompt();
    }, PROMPT_INTERVAL_MS);
  }
}
