import {
  ApiError,
  ClosedError,
  mentionsName,
  NetworkError,
  withReaction,
  type ConnectionState,
  type Id,
  type ReactionChange,
  type ReceivedMessage,
  type UploadProgress,
} from '@hearth/sdk';
import { ConnectionNotices } from './connection-notices.ts';
import { follow, type FeedReader } from './feed.ts';
import { placeName } from './find-channel.ts';
import { promptOf, type ConversationOptions } from './conversation-options.ts';
import { MESSAGE_LIMITS, reportBusy, reportLimit } from './limit-notices.ts';
import { MessageChanges } from './message-changes.ts';
import type { MessageSource } from './message-source.ts';
import { Outbox, type Draft } from './outbox.ts';
import { OwnMessages } from './own-messages.ts';
import { RememberedMessages } from './remembered-messages.ts';
import { uploadFile } from './upload-file.ts';
import { failureNotice, reasonOf } from './with-client.ts';

/** A sent message that has not come back within this time is shown as it was sent. */
const RETURN_MS = 2000;

/** The number of earlier messages that a chat shows when it begins. */
const SHOWN_OF_HISTORY = 20;

const CANCELLED = 'cancelled';

/** One user's conversation in the lobby or a channel: shows the messages that arrive, and sends those of the user. */
export class Conversation implements Disposable {
  readonly #options: ConversationOptions;
  readonly #own = new OwnMessages();
  readonly #outbox: Outbox;
  readonly #notices: ConnectionNotices;
  readonly #dropped = new AbortController();
  readonly #left = new AbortController();
  readonly #uploads = new Set<Promise<void>>();
  readonly #listeners: (() => void)[] = [];
  readonly #shown = new RememberedMessages();
  /** Changes of what is shown. */
  readonly changes: MessageChanges;
  #author: string;
  #returning: Promise<void> = Promise.resolve();
  #failures = 0;
  /** The progress of an upload, for the prompt. */
  #progress = '';

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#author = options.author;
    this.changes = new MessageChanges({ ...options, shown: () => this.#shown.all() });
    this.#notices = new ConnectionNotices((notice) => options.face.notice(notice));
    this.#outbox = new Outbox({
      post: (draft) => this.#post(draft),
      onFailure: ({ content }, error) => this.#reportFailure(content, error),
    });
  }

  /** The number of messages and files that are not sent yet. */
  get unsent(): number {
    return this.#outbox.size + this.#uploads.size;
  }

  /** The number of messages and files that could not be sent. */
  get failures(): number {
    return this.#failures;
  }

  /** The place of the conversation. */
  get source(): MessageSource {
    return this.#options.source;
  }

  /** Begins to show messages. Resolves after the first attempt to reach the gateway. */
  async begin(): Promise<void> {
    const { client, source, face } = this.#options;
    const tried = Promise.withResolvers<void>();
    const onConnection = (state: ConnectionState) => {
      this.#notices.connection(state);
      this.showPrompt();
      if (state.state !== 'connecting') tried.resolve();
    };
    this.#listeners.push(
      client.on('connection', onConnection),
      source.on('gap', () => this.#notices.gap()),
      client.on('online', () => this.showPrompt()),
    );
    const { place } = source;
    if (place !== undefined) {
      const gone = `you no longer see ${placeName(place)}: /lobby leads to the lobby`;
      this.#listeners.push(source.on('closed', () => face.notice(gone)));
    }
    if (face.isInteractive) {
      const notice = (when: string) => face.notice(`rate limit reached, sending ${when}`);
      this.#listeners.push(
        reportLimit(client, [...MESSAGE_LIMITS, 'attachments'], notice),
        reportBusy(client, (sentence) => face.notice(sentence)),
      );
    }
    this.showPrompt();
    // A chat that goes from one place to another is connected.
    if (client.connection.state !== 'idle') onConnection(client.connection);
    void this.#follow();
    await tried.promise;
  }

  /** Sends a message, after those before it. */
  say(content: string): void {
    this.#outbox.send({ author: this.#author, content });
  }

  /** Replies to a message that was shown; 1 is the last one. */
  reply(count: number, text: string): void {
    const { source, face } = this.#options;
    const message = this.#shown.all().at(-count);
    if (message === undefined) face.notice('there is no such message');
    else this.#outbox.send({ author: this.#author, ...source.replyTo(message, text) });
  }

  /** Changes the name of the messages from now on. */
  rename(name: string): void {
    this.#author = name;
    this.showPrompt();
  }

  /** The address of a file or link that was shown; 1 is the last one. */
  lastAddress(count: number): string | undefined {
    return this.#shown.lastAddress(count);
  }

  /** Shows the last message that hides a part of its text, with that part. */
  reveal(): void {
    const { face } = this.#options;
    const { hiding } = this.#shown;
    face.notice(hiding ? `${hiding.author}: ${hiding.content}` : 'no message hides anything');
  }

  /** Uploads a file, and then sends its address. */
  share(path: string): void {
    const upload = this.#share(path).finally(() => this.#uploads.delete(upload));
    this.#uploads.add(upload);
  }

  /** Resolves when everything is sent. */
  async sent(): Promise<void> {
    await Promise.all(this.#uploads);
    await this.#outbox.emptied();
  }

  /** Resolves when everything is sent, and the last message has come back or is late. */
  async settled(): Promise<void> {
    await this.sent();
    await this.#returning;
  }

  /** Cancels the messages that are not sent yet. Each is reported. */
  drop(): void {
    // A message that waits for its rate limit was certainly not sent. One that is on its way may have been.
    const { limits } = this.#options.client;
    const isWaiting = MESSAGE_LIMITS.some((name) => limits.state(name).waiting > 0);
    this.#dropped.abort(isWaiting ? new Error(CANCELLED) : new NetworkError(CANCELLED));
  }

  /** Shows nothing more. What is not sent yet is still sent. */
  leave(): void {
    this.#left.abort();
    this.#shown.clear();
    for (const stopListening of this.#listeners.splice(0)) stopListening();
  }

  [Symbol.dispose](): void {
    this.leave();
  }

  /** Draws the prompt again. */
  showPrompt(): void {
    if (this.#left.signal.aborted) return;
    const prompt = promptOf(this.#options, { author: this.#author, state: this.#notices.state });
    this.#options.face.setPrompt(`${prompt}${this.#progress}> `);
  }

  async #follow(): Promise<void> {
    const { source, face } = this.#options;
    const last = face.isInteractive && source.hasHistory ? SHOWN_OF_HISTORY : 0;
    const reader: FeedReader = {
      signal: this.#left.signal,
      show: (messages, areNew) => {
        for (const message of messages) this.#show(message, areNew);
        const newestId = messages.at(-1)?.id;
        if (newestId !== undefined) source.markRead(newestId);
      },
      update: (message) => this.#update(message),
      remove: (id) => this.#remove(id),
      react: (change) => this.#react(change),
    };
    try {
      await follow(source, last, reader);
    } catch (error) {
      if (error instanceof ClosedError || this.#left.signal.aborted) return;
      face.notice(`cannot show earlier messages (${reasonOf(error)})`);
    }
  }

  #show(message: ReceivedMessage, isNew: boolean): void {
    const own = this.#own.recognise(message);
    own?.arrive();
    if (own !== undefined) this.changes.sent(message);
    const nowMs = Date.now();
    if (own?.showOnce() ?? true) this.#options.face.show(message, nowMs);
    this.#shown.add(message, nowMs);
    const isForUser = isNew && own === undefined && mentionsName(message.content, this.#author);
    if (isForUser) this.#options.face.ring();
  }

  #update(message: ReceivedMessage): void {
    const receivedAtMs = this.#shown.replace(message);
    if (receivedAtMs !== undefined) this.#options.face.update(message, receivedAtMs);
  }

  #remove(id: Id): void {
    const known = this.#shown.remove(id);
    if (known !== undefined) this.#options.face.remove(known.message, known.receivedAtMs);
  }

  #react(change: ReactionChange): void {
    const shown = this.#shown.get(change.id);
    if (shown === undefined) return;
    this.#update(withReaction({ ...shown.message, id: change.id }, change));
  }

  async #post(draft: Draft): Promise<void> {
    const { author, content, replyTo } = draft;
    const { source, face } = this.#options;
    const { signal } = this.#dropped;
    if (signal.aborted) throw new Error(CANCELLED);
    const own = this.#own.expect(draft);
    try {
      await source.send(
        { author, content, replyTo, nonce: own.nonce },
        { signal, longestBusyWaitMs: Infinity },
      );
    } catch (error) {
      if (own.hasArrived) return;
      if (error instanceof ApiError) this.#own.forget(own);
      throw error;
    }
    const patienceMs = this.#notices.state === 'well' ? RETURN_MS : 0;
    const late = new Promise((resolve) => setTimeout(resolve, patienceMs));
    this.#returning = Promise.race([own.arrived, late]).then(() => {
      if (own.showOnce() && !this.#left.signal.aborted) face.show({ author, content }, Date.now());
    });
  }

  async #share(path: string): Promise<void> {
    const { client, face, openFile } = this.#options;
    face.notice(`uploading ${path}`);
    try {
      const { signal } = this.#dropped;
      const onProgress = ({ sentBytes, totalBytes }: UploadProgress) => {
        this.#progress = ` (uploading: ${Math.floor((sentBytes / totalBytes) * 100)} %)`;
        this.showPrompt();
      };
      const { id, key } = await uploadFile(client, path, { openFile, signal, onProgress });
      this.say(client.files.url(id, { key }));
    } catch (error) {
      this.#failures += 1;
      face.notice(`not uploaded (${reasonOf(error)})`);
    } finally {
      this.#progress = '';
      this.showPrompt();
    }
  }

  #reportFailure(content: string, error: unknown): void {
    this.#failures += 1;
    this.#options.face.notice(failureNotice(content, error));
  }
}
