import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import {
  countCodePoints,
  NetworkError,
  newNonce,
  type Client,
  type FileData,
  type LimitState,
  type SdkClock,
} from '@hearth/sdk';
import { CleanUp } from '../../lib/clean-up.ts';
import { contentOf } from '../composer/content.ts';
import {
  forgetPreviews,
  MessageTooLongError,
  previewOf,
  TooManyMessagesError,
  type UploadingMessage,
  type UploadingFile,
  type PickedFile,
  type Refusal,
  type UploadStep,
} from './uploading-message.ts';

/** What uploads need. */
export interface UploadsOptions {
  readonly client: Pick<Client, 'capabilities' | 'files' | 'info' | 'on'>;
  readonly isReachable: ReadonlySignal<boolean>;
  readonly clock: SdkClock;
  /** How many files a message has at most. */
  readonly mostFiles: number;
  /** Sends a message whose files are uploaded; returns false if it cannot be accepted now. */
  send(content: string): boolean;
  /** Returns the text of a cancelled message to the draft. */
  putBack(text: string): void;
  /** Called with uploaded files, which need not be fetched to be shown. */
  remember(data: FileData, content: Blob): void;
}

/** The picked files, and the messages that wait for their files. */
export class Uploads implements Disposable {
  readonly picked: ReadonlySignal<readonly PickedFile[]>;
  readonly refused: ReadonlySignal<readonly Refusal[]>;
  readonly messages: ReadonlySignal<readonly UploadingMessage[]>;
  /** When the limit allows the next file, if one waits for it; our Unix clock. */
  readonly waitsUntilMs: ReadonlySignal<number | undefined>;
  readonly #options: UploadsOptions;
  readonly #picked = signal<readonly PickedFile[]>([]);
  readonly #refused = signal<readonly Refusal[]>([]);
  readonly #messages = signal<readonly UploadingMessage[]>([]);
  readonly #limit = signal<LimitState | undefined>(undefined);
  readonly #cleanUp = new CleanUp();
  /** The upload in progress. */
  #upload: { readonly messageKey: string; readonly abort: AbortController } | undefined;
  #isRunning = false;

  constructor(options: UploadsOptions) {
    this.#options = options;
    this.picked = this.#picked;
    this.refused = this.#refused;
    this.messages = this.#messages;
    this.waitsUntilMs = computed(() => {
      const limit = this.#limit.value;
      const isWaiting = limit !== undefined && limit.waiting > 0;
      return isWaiting && limit.freeAtMs > options.clock.now() ? limit.freeAtMs : undefined;
    });
    this.#cleanUp.defer(
      options.client.on('limit', ({ bucket, state }) => {
        if (bucket === 'attachments') this.#limit.value = state;
      }),
    );
    this.#cleanUp.defer(
      effect(() => {
        if (options.isReachable.value) void this.#run();
      }),
    );
  }

  /** How many files a message has at most. */
  get mostFiles(): number {
    return this.#options.mostFiles;
  }

  /** Adds files to the message that is being written; refuses those that the instance would not accept. */
  pick(files: Iterable<File>): void {
    const { client, mostFiles } = this.#options;
    const mostBytes = client.info.attachment_file_size;
    const refused: Refusal[] = [];
    const picked: PickedFile[] = [];
    for (const file of files) {
      const key = newNonce();
      const count = this.#picked.peek().length + picked.length;
      if (count >= mostFiles) {
        refused.push({ key, name: file.name, sizeBytes: file.size, reason: 'too_many' });
      } else if (file.size > 0 && file.size <= mostBytes) {
        picked.push({ key, file, previewUrl: previewOf(file), isSpoiler: false });
      } else {
        const reason = file.size === 0 ? 'empty' : 'too_big';
        refused.push({ key, name: file.name, sizeBytes: file.size, reason });
      }
    }
    batch(() => {
      this.#picked.value = [...this.#picked.peek(), ...picked];
      this.#refused.value = refused;
    });
  }

  /** Removes a file from the message. */
  remove(key: string): void {
    const { kept, removed } = Object.groupBy(this.#picked.peek(), (file) =>
      file.key === key ? 'removed' : 'kept',
    );
    this.#picked.value = kept ?? [];
    forgetPreviews(removed ?? []);
  }

  /** Sets whether a file is hidden until the reader asks for it. */
  setSpoiler(key: string, isSpoiler: boolean): void {
    this.#picked.value = this.#picked
      .peek()
      .map((file) => (file.key === key ? { ...file, isSpoiler } : file));
  }

  /** Dismisses the refused files, which the reader has seen. */
  forgetRefused(): void {
    this.#refused.value = [];
  }

  /** Uploads the picked files, and then sends `text` with their addresses. */
  dispatch(text: string): void {
    const files = this.#picked.peek();
    const queued = files.map((file): UploadingFile => ({ ...file, step: { state: 'queued' } }));
    const message: UploadingMessage = {
      key: newNonce(),
      text,
      files: queued,
      at: { state: 'running' },
    };
    batch(() => {
      this.#picked.value = [];
      this.#refused.value = [];
      this.#messages.value = [...this.#messages.peek(), message];
    });
    void this.#run();
  }

  /** Cancels a message: its text and its files are as they were before it was sent. */
  cancel(key: string): void {
    const message = this.#find(key);
    if (message === undefined) return;
    batch(() => {
      this.#drop(key);
      const files = message.files.map(({ step: _step, ...file }): PickedFile => file);
      this.#picked.value = [...files, ...this.#picked.peek()];
      this.#options.putBack(message.text);
    });
    if (this.#upload?.messageKey === key) this.#upload.abort.abort();
  }

  /** Resumes a message whose upload failed; files that are already uploaded are kept. */
  retry(key: string): void {
    this.#changeMessage(key, (message) => ({ ...message, at: { state: 'running' } }));
    void this.#run();
  }

  [Symbol.dispose](): void {
    this.#cleanUp.dispose();
    this.#upload?.abort.abort();
    forgetPreviews(this.#picked.peek());
    for (const message of this.#messages.peek()) forgetPreviews(message.files);
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let message = this.#next(); message !== undefined; message = this.#next()) {
        await this.#deliver(message);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #next(): UploadingMessage | undefined {
    if (!this.#options.isReachable.peek()) return undefined;
    return this.#messages.peek().find(({ at }) => at.state === 'running');
  }

  async #deliver({ key, text, files }: UploadingMessage): Promise<void> {
    const { client } = this.#options;
    try {
      const urls: string[] = [];
      for (const file of files) {
        const data = file.step.state === 'done' ? file.step.data : await this.#send(key, file);
        if (this.#find(key) === undefined) return;
        urls.push(client.files.url(data.id, { key: data.key }));
      }
      const content = contentOf(text, urls);
      const length = countCodePoints(content);
      if (length > client.info.message_limit) {
        throw new MessageTooLongError(length, client.info.message_limit);
      }
      if (!this.#options.send(content)) throw new TooManyMessagesError();
      this.#drop(key);
      forgetPreviews(files);
    } catch (error) {
      const isKept = error instanceof NetworkError && !this.#options.isReachable.peek();
      this.#changeMessage(key, (message) => ({
        ...message,
        files: message.files.map((file) =>
          file.step.state === 'done' ? file : { ...file, step: { state: 'queued' } },
        ),
        at: isKept ? message.at : { state: 'failed', error },
      }));
    }
  }

  async #send(messageKey: string, { key, file, isSpoiler }: UploadingFile): Promise<FileData> {
    const { client } = this.#options;
    const change = (step: UploadStep) => {
      this.#changeMessage(messageKey, ({ files, ...rest }) => ({
        ...rest,
        files: files.map((each) => (each.key === key ? { ...each, step } : each)),
      }));
    };
    const abort = new AbortController();
    this.#upload = { messageKey, abort };
    try {
      change({ state: 'uploading', sentBytes: 0, totalBytes: file.size });
      const data = await client.files.upload(file, {
        name: file.name,
        spoiler: isSpoiler,
        // Pictures say where they were taken, which nobody means to share.
        strip: client.capabilities?.features.includes('strip') ?? false,
        signal: abort.signal,
        onProgress: (progress) => change({ state: 'uploading', ...progress }),
      });
      this.#options.remember(data, file);
      change({ state: 'done', data });
      return data;
    } finally {
      this.#upload = undefined;
    }
  }

  #find(key: string): UploadingMessage | undefined {
    return this.#messages.peek().find((message) => message.key === key);
  }

  #drop(key: string): void {
    this.#messages.value = this.#messages.peek().filter((message) => message.key !== key);
  }

  #changeMessage(key: string, change: (message: UploadingMessage) => UploadingMessage): void {
    this.#messages.value = this.#messages
      .peek()
      .map((message) => (message.key === key ? change(message) : message));
  }
}
