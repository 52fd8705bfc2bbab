import {
  ApiError,
  ClosedError,
  NetworkError,
  type Client,
  type ConnectionState,
  type Id,
  type ReceivedMessage,
  type UploadProgress,
} from '@hearth/sdk';
import { ConnectionNotices } from './connection-notices.ts';
import type { Face } from './face.ts';
import { follow } from './feed.ts';
import { tellLimit } from './limit-notices.ts';
import { Outbox } from './outbox.ts';
import { OwnMessages } from './own-messages.ts';
import { uploadFile, type UploadFileOptions } from './upload-file.ts';
import { isUnreached, reasonOf } from './with-client.ts';

/** How long a message that is sent may take to come back before it is shown as it was sent. */
const RETURN_MS = 2000;

/** Messages of before that somebody sees who comes in. */
const SHOWN_OF_BEFORE = 20;

/** Shown messages whose changes and removal are still shown. */
const MOST_REMEMBERED = 1000;

const GIVEN_UP = 'it was given up';

/** What the prompt says of the connection. */
const PROMPT_NOTES = { new: ' (connecting)', well: '', away: ' (offline)' } as const;

/** Who talks where, and how. */
export interface ConversationOptions extends Pick<UploadFileOptions, 'openFile'> {
  readonly client: Client;
  readonly face: Face;
  readonly author: string;
}

/** One person's talk on an instance: shows what comes, and sends what is said. */
export class Conversation implements Disposable {
  readonly #options: ConversationOptions;
  readonly #own: OwnMessages;
  readonly #outbox: Outbox;
  readonly #notices: ConnectionNotices;
  readonly #dropped = new AbortController();
  readonly #uploads = new Set<Promise<void>>();
  readonly #listeners: (() => void)[] = [];
  /** The newest messages that were shown. */
  readonly #shown = new Map<Id, { message: ReceivedMessage; receivedAtMs: number }>();
  #returning: Promise<void> = Promise.resolve();
  #failures = 0;
  /** How far an upload is, for the prompt. */
  #progress = '';

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#own = new OwnMessages(options.author);
    this.#notices = new ConnectionNotices((notice) => options.face.notice(notice));
    this.#outbox = new Outbox({
      post: (content) => this.#post(content),
      onFailure: (content, error) => this.#tellFailure(content, error),
    });
  }

  /** How many messages and files are not sent yet. */
  get unsent(): number {
    return this.#outbox.size + this.#uploads.size;
  }

  /** How many messages could not be sent. */
  get failures(): number {
    return this.#failures;
  }

  /** Begins to show messages. Resolves when the gateway is reached, or could not be reached at once. */
  async begin(): Promise<void> {
    const { client, face } = this.#options;
    const tried = Promise.withResolvers<void>();
    const onConnection = (state: ConnectionState) => {
      this.#notices.connection(state);
      this.#showPrompt();
      if (state.state !== 'connecting') tried.resolve();
    };
    this.#listeners.push(
      client.on('connection', onConnection),
      client.on('gap', () => this.#notices.gap()),
    );
    if (face.isInteractive) {
      const tell = (when: string) =>
        face.notice(`the instance takes no more for now: sent ${when}`);
      this.#listeners.push(tellLimit(client, ['message_create', 'attachments'], tell));
    }
    this.#showPrompt();
    void this.#follow();
    await tried.promise;
  }

  /** Sends a message, after those before it. */
  say(content: string): void {
    this.#outbox.send(content);
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

  /** Resolves when everything is sent, and has come back as far as it does. */
  async settled(): Promise<void> {
    await this.sent();
    await this.#returning;
  }

  /** Gives up on what is not sent, and tells so. */
  drop(): void {
    // What waits for its limit was surely not sent; what is on its way nobody knows.
    const isWaiting = this.#options.client.limits.state('message_create').waiting > 0;
    this.#dropped.abort(isWaiting ? new Error(GIVEN_UP) : new NetworkError(GIVEN_UP));
  }

  [Symbol.dispose](): void {
    for (const stopListening of this.#listeners) stopListening();
  }

  #showPrompt(): void {
    const { face, author } = this.#options;
    face.setPrompt(`${author}${PROMPT_NOTES[this.#notices.state]}${this.#progress}> `);
  }

  async #follow(): Promise<void> {
    const { client, face } = this.#options;
    const last = face.isInteractive && client.isHearth ? SHOWN_OF_BEFORE : 0;
    try {
      await follow(client, last, {
        show: (messages) => {
          for (const message of messages) this.#show(message);
        },
        update: (message) => this.#update(message),
        remove: (id) => this.#remove(id),
      });
    } catch (error) {
      if (error instanceof ClosedError) return;
      face.notice(`cannot show what was said before (${reasonOf(error)})`);
    }
  }

  #show(message: ReceivedMessage): void {
    const own = this.#own.recognise(message);
    own?.arrive();
    const nowMs = Date.now();
    if (own?.showOnce() ?? true) this.#options.face.show(message, nowMs);
    this.#remember(message, nowMs);
  }

  #remember(message: ReceivedMessage, receivedAtMs: number): void {
    if (message.id === undefined) return;
    this.#shown.set(message.id, { message, receivedAtMs });
    if (this.#shown.size <= MOST_REMEMBERED) return;
    for (const oldest of this.#shown.keys()) {
      this.#shown.delete(oldest);
      return;
    }
  }

  #update(message: ReceivedMessage): void {
    const shown = message.id && this.#shown.get(message.id);
    if (message.id === undefined || !shown) return;
    this.#shown.set(message.id, { ...shown, message });
    this.#options.face.update(message, shown.receivedAtMs);
  }

  #remove(id: Id): void {
    const shown = this.#shown.get(id);
    if (shown === undefined) return;
    this.#shown.delete(id);
    this.#options.face.remove(shown.message, shown.receivedAtMs);
  }

  async #post(content: string): Promise<void> {
    const { client, face, author } = this.#options;
    const { signal } = this.#dropped;
    if (signal.aborted) throw new Error(GIVEN_UP);
    const own = this.#own.expect(content);
    try {
      await client.send({ author, content, nonce: own.nonce }, { signal });
    } catch (error) {
      if (own.hasArrived) return;
      if (error instanceof ApiError) this.#own.forget(own);
      throw error;
    }
    const patienceMs = this.#notices.state === 'well' ? RETURN_MS : 0;
    const late = new Promise((resolve) => setTimeout(resolve, patienceMs));
    this.#returning = Promise.race([own.arrived, late]).then(() => {
      if (own.showOnce()) face.show({ author, content }, Date.now());
    });
  }

  async #share(path: string): Promise<void> {
    const { client, face, openFile } = this.#options;
    face.notice(`uploading ${path}`);
    try {
      const { signal } = this.#dropped;
      const onProgress = ({ sentBytes, totalBytes }: UploadProgress) => {
        this.#progress = ` (uploading: ${Math.floor((sentBytes / totalBytes) * 100)} %)`;
        this.#showPrompt();
      };
      const { id } = await uploadFile(client, path, { openFile, signal, onProgress });
      this.say(client.files.url(id));
    } catch (error) {
      this.#failures += 1;
      face.notice(`not uploaded (${reasonOf(error)})`);
    } finally {
      this.#progress = '';
      this.#showPrompt();
    }
  }

  #tellFailure(content: string, error: unknown): void {
    this.#failures += 1;
    // Where no answer came it may have been taken all the same.
    const isOpen = error instanceof NetworkError && !isUnreached(error);
    const what = isOpen ? 'perhaps not sent' : 'not sent';
    this.#options.face.notice(`${what} (${reasonOf(error)}): ${content}`);
  }
}
