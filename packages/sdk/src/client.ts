import {
  webPath,
  type Capabilities,
  type Id,
  type InstanceInfo,
  type Message,
  type Pauses,
} from '@hearth/protocol';
import type { AccessCode } from './access-code.ts';
import type { Abilities } from './capabilities.ts';
import { Deliveries } from './deliveries.ts';
import { ClosedError } from './errors.ts';
import { FilesClient } from './files.ts';
import { GatewayClient } from './gateway/gateway.ts';
import type { Limits } from './limits/limits.ts';
import { Correspondence } from './lobby/correspondence.ts';
import { AccountFeed } from './gateway/account-feed.ts';
import { StreamsFeed } from './gateway/streams-feed.ts';
import { LobbyFeed } from './lobby/feed.ts';
import { MessageStream } from './message-stream.ts';
import { News } from './news.ts';
import { partHost, type PartHost } from './part-host.ts';
import { PlacesClient } from './places-client.ts';
import type { Quotable } from './quote.ts';
import { RestClient } from './rest.ts';
import type { SearchPage, SearchQuery } from './search.ts';
import { servicesOf } from './services.ts';
import type { Session } from './session.ts';
import type {
  ClientEvents,
  ConnectionState,
  IncomingMessage,
  MessagesOptions,
  NewMessage,
  RequestOptions,
  SendOptions,
} from './types.ts';
import { baseUrl } from './urls.ts';

const DEFAULT_MOST_BUFFERED = 10_000;

/** A client of one instance. {@link connect} and {@link createClient} make one. */
export class Client extends PlacesClient implements AsyncDisposable {
  /** The instance's description of itself when the client was made. */
  readonly info: InstanceInfo;
  readonly rest: RestClient;
  readonly files: FilesClient;
  readonly gateway: GatewayClient;
  /** The known limits, and how many requests wait for them. */
  readonly limits: Limits;
  /** The author of messages that name none. */
  readonly author: string | undefined;
  protected override readonly host: PartHost;
  readonly #session: Session;
  readonly #abilities: Abilities;
  readonly #accessCode: AccessCode;
  readonly #correspondence: Correspondence;
  readonly #deliveries: Deliveries;
  readonly #news: News;

  /** @internal */
  constructor(info: InstanceInfo, session: Session) {
    const services = servicesOf(info, session);
    const { addresses, published, abilities, api } = services;
    super({ api, abilities, tokens: session.tokens });
    this.info = info;
    this.#session = session;
    const { limits, events, clock, random, timeoutMs, options } = session;
    this.limits = limits;
    this.#news = new News(events);
    this.author = options.author;
    this.#abilities = abilities;
    this.#accessCode = services.accessCode;
    this.rest = new RestClient({ api, abilities });
    this.files = new FilesClient({
      http: services.http,
      baseUrl: addresses.files,
      publishedUrl: published.files,
      otherUrls: options.fileAddresses ?? [],
      transport: session.upload,
    });
    const lobby = new LobbyFeed({
      history: this.rest,
      clock,
      random,
      caughtUp: () => this.gateway.caughtUp(),
      onMessage: (message) => this.#deliveries.received(message),
      onUpdate: (message) => this.#deliveries.updated(message),
      onDelete: (id) => this.#deliveries.deleted(id),
      onReaction: (change) => this.#deliveries.reacted(change),
      onGap: (gap) => events.emit('gap', gap),
      onCurrent: (isCurrent) => this.gateway.markCurrent(isCurrent),
    });
    const account = new AccountFeed(events);
    const feed = new StreamsFeed(lobby, account);
    this.gateway = new GatewayClient({
      url: addresses.gateway,
      abilities,
      accessCode: services.gatewayCode,
      WebSocket: options.WebSocket ?? globalThis.WebSocket,
      clock,
      random,
      timeoutMs,
      tokens: services.gatewayTokens,
      feed,
      onState: (state) => this.#changed(state),
      onOnline: (count) => this.#news.counted(count),
      onPauses: (pauses) => this.#news.paused(pauses),
    });
    this.#correspondence = new Correspondence({
      rest: this.rest,
      abilities,
      author: options.author,
      messageLimit: info.message_limit,
      messageUrl: (id) => this.messageUrl(id),
      isListening: () => this.connection.state !== 'idle',
    });
    this.#deliveries = new Deliveries(session, this.#correspondence);
    this.host = partHost({ session, api, account, feed, gateway: this.gateway });
    this.#endWith(options.signal);
  }

  /**
   * The instance's answer to the question what it can do. Undefined if it offers only the documented interface, or has not
   * been asked. `connect` asks; a client that was made in another way asks when it first needs the answer.
   */
  get capabilities(): Capabilities | undefined {
    return this.#abilities.known;
  }

  /**
   * True if the instance offers more than the documented interface: see `capabilities`. A guess until it has been
   * asked.
   */
  get isHearth(): boolean {
    return this.#abilities.mayOfferMore;
  }

  /** @internal */
  async learn(signal: AbortSignal | undefined): Promise<void> {
    await this.#abilities.ready(signal);
    // Throws now if the code that is needed cannot be sent.
    void this.#accessCode.current;
  }

  /** The state of the connection to the gateway. */
  get connection(): ConnectionState {
    return this.gateway.state;
  }

  /**
   * The number of connections that the instance has, this one included; undefined while this one is not open, or if the
   * instance does not report it.
   */
  get online(): number | undefined {
    return this.#news.online;
  }

  /**
   * The activities that the owner has paused for everyone; undefined while the connection is not open, or if the
   * instance does not report it.
   */
  get pauses(): Pauses | undefined {
    return this.#news.pauses;
  }

  /**
   * Opens the gateway; resolves when it is open. It reconnects by itself until {@link Client.close}. If `signal` aborts
   * first, the promise rejects and nothing is opened. Throws ClosedError, and HearthError if there is no WebSocket.
   */
  open(options: RequestOptions = {}): Promise<void> {
    return this.gateway.open(options);
  }

  /**
   * Posts a message and returns it as the instance has it. Waits for its limit. Throws the typed errors of RestClient, and
   * TypeError if neither the message nor the client has an author. If no answer comes, it sends again
   * only if somebody is signed in, because otherwise the message might be posted twice.
   *
   * @example await client.send('good evening');
   */
  send(message: string | NewMessage, options: SendOptions = {}): Promise<Message> {
    return this.#correspondence.send(message, options);
  }

  /** Posts a message that quotes another one, such as one of the history: see `replyTo`. Otherwise like `send`. */
  reply(to: Quotable, message: string | NewMessage, options: SendOptions = {}): Promise<Message> {
    return this.#correspondence.reply(to, message, options);
  }

  /** The address of a message in the instance's web client; undefined if the address of that is not known. */
  messageUrl(id: Id): string | undefined {
    const webUrl = this.#session.options.webUrl ?? this.#abilities.webUrl;
    if (webUrl === undefined) return undefined;
    return `${baseUrl(webUrl)}${webPath('lobbyMessage', { message_id: id })}`;
  }

  /**
   * Searches messages, the newest first. Waits for its limit. Throws the typed errors of RestClient.
   *
   * @example const { messages, next } = await client.search({ text: 'good eve', from: 'ada' });
   */
  search(query: SearchQuery, options: RequestOptions = {}): Promise<SearchPage> {
    return this.rest.search(query, options);
  }

  /**
   * Messages from now on, each once and in order; opens the gateway. The iteration ends when the client is closed, the
   * signal aborts, or the loop is left. A reader that is too slow gets an OverflowError. If the instance no longer
   * wants this client, the reader gets a ClosedError.
   *
   * @example for await (const message of client.messages()) if (!message.isOwn) await message.reply('hello');
   */
  messages(options: MessagesOptions = {}): AsyncIterableIterator<IncomingMessage> {
    const { signal, mostBuffered = DEFAULT_MOST_BUFFERED } = options;
    const onAbort = () => stream.end();
    const stream = new MessageStream(mostBuffered, () => {
      this.#deliveries.remove(stream);
      signal?.removeEventListener('abort', onAbort);
    });
    this.#deliveries.add(stream);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true) onAbort();
    else this.#keepOpenFor(stream);
    return stream;
  }

  /** Calls `listener` with every event of that name until the returned function is called. */
  on<Name extends keyof ClientEvents>(
    name: Name,
    listener: (event: ClientEvents[Name]) => void,
  ): () => void {
    return this.#session.events.on(name, listener);
  }

  /** Ends everything: the gateway, requests, waits, readers. Resolves when the gateway's connection is closed. */
  close(): Promise<void> {
    return this.#end(new ClosedError('This client is closed'));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected override userChanged(): void {
    this.gateway.changeUser();
  }

  #keepOpenFor(stream: MessageStream): void {
    try {
      this.gateway.keepOpen();
    } catch (error) {
      if (this.connection.state === 'closed') this.#endStream(stream);
      else stream.end({ error });
    }
  }

  /** A caller who closes the client knows that it is closed. If the instance closed it, the reader has to learn why. */
  #endStream(stream: MessageStream): void {
    const { refusal } = this.gateway;
    stream.end(refusal === undefined ? {} : { error: refusal });
  }

  #changed(state: ConnectionState): void {
    if (state.state !== 'open') this.#news.forget();
    this.#session.events.emit('connection', state);
    // So that a client that runs for months stays signed in. Nobody waits for it, and the next connection tries again.
    if (state.state === 'open' && state.isCurrent) {
      void this.sessions.renewOldToken().catch(() => {});
    }
    if (state.state !== 'closed') return;
    for (const stream of this.#deliveries.streams) this.#endStream(stream);
  }

  #endWith(signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    const onAbort = () => void this.#end(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    this.#session.life.signal.addEventListener('abort', () => {
      signal.removeEventListener('abort', onAbort);
    });
  }

  async #end(reason: unknown): Promise<void> {
    this.#session.life.abort(reason);
    await this.gateway.close(reason);
  }
}
