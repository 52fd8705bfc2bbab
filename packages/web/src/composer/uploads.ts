import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import {
  countCodePoints,
  NetworkError,
  type Client,
  type FileData,
  type LimitState,
  type SdkClock,
} from '@hearth/sdk';
import { CleanUp } from '../clean-up.ts';
import { contentOf } from './content.ts';
import { newNonce } from './nonce.ts';
import {
  forgetPreviews,
  MessageTooLongError,
  previewOf,
  TooManyMessagesError,
  type Parcel,
  type ParcelFile,
  type PickedFile,
  type Refusal,
  type UploadStep,
} from './parcel.ts';

/** What uploads need. */
export interface UploadsOptions {
  readonly client: Pick<Client, 'files' | 'info' | 'on'>;
  readonly isReachable: ReadonlySignal<boolean>;
  readonly clock: SdkClock;
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
  readonly parcels: ReadonlySignal<readonly Parcel[]>;
  /** When the limit allows the next file, if one waits for it; our Unix clock. */
  readonly waitsUntilMs: ReadonlySignal<number | undefined>;
  readonly #options: UploadsOptions;
  readonly #picked = signal<readonly PickedFile[]>([]);
  readonly #refused = signal<readonly Refusal[]>([]);
  readonly #parcels = signal<readonly Parcel[]>([]);
  readonly #limit = signal<LimitState | undefined>(undefined);
  readonly #cleanUp = new CleanUp();
  /** The upload in progress. */
  #upload: { readonly parcel: string; readonly abort: AbortController } | undefined;
  #isRunning = false;

  constructor(options: UploadsOptions) {
    this.#options = options;
    this.picked = this.#picked;
    this.refused = this.#refused;
    this.parcels = this.#parcels;
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

  /** Adds files to the message that is being written; refuses those that the instance would not accept. */
  pick(files: Iterable<File>): void {
    const mostBytes = this.#options.client.info.attachment_file_size;
    const refused: Refusal[] = [];
    const picked: PickedFile[] = [];
    for (const file of files) {
      const key = newNonce();
      if (file.size > 0 && file.size <= mostBytes) {
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
    const queued = files.map((file): ParcelFile => ({ ...file, step: { state: 'queued' } }));
    const parcel: Parcel = { key: newNonce(), text, files: queued, at: { state: 'running' } };
    batch(() => {
      this.#picked.value = [];
      this.#refused.value = [];
      this.#parcels.value = [...this.#parcels.peek(), parcel];
    });
    void this.#run();
  }

  /** Cancels a message: its text and its files are as they were before it was sent. */
  cancel(key: string): void {
    const parcel = this.#find(key);
    if (parcel === undefined) return;
    batch(() => {
      this.#drop(key);
      const files = parcel.files.map(({ step: _step, ...file }): PickedFile => file);
      this.#picked.value = [...files, ...this.#picked.peek()];
      this.#options.putBack(parcel.text);
    });
    if (this.#upload?.parcel === key) this.#upload.abort.abort();
  }

  /** Resumes a message whose upload failed; files that are already uploaded are kept. */
  retry(key: string): void {
    this.#changeParcel(key, (parcel) => ({ ...parcel, at: { state: 'running' } }));
    void this.#run();
  }

  [Symbol.dispose](): void {
    this.#cleanUp.dispose();
    this.#upload?.abort.abort();
    forgetPreviews(this.#picked.peek());
    for (const parcel of this.#parcels.peek()) forgetPreviews(parcel.files);
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let parcel = this.#next(); parcel !== undefined; parcel = this.#next()) {
        await this.#deliver(parcel);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #next(): Parcel | undefined {
    if (!this.#options.isReachable.peek()) return undefined;
    return this.#parcels.peek().find(({ at }) => at.state === 'running');
  }

  async #deliver({ key, text, files }: Parcel): Promise<void> {
    const { client } = this.#options;
    try {
      const urls: string[] = [];
      for (const file of files) {
        const data = file.step.state === 'done' ? file.step.data : await this.#send(key, file);
        if (this.#find(key) === undefined) return;
        urls.push(client.files.url(data.id));
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
      this.#changeParcel(key, (parcel) => ({
        ...parcel,
        files: parcel.files.map((file) =>
          file.step.state === 'done' ? file : { ...file, step: { state: 'queued' } },
        ),
        at: isKept ? parcel.at : { state: 'failed', error },
      }));
    }
  }

  async #send(parcel: string, { key, file, isSpoiler }: ParcelFile): Promise<FileData> {
    const { client } = this.#options;
    const change = (step: UploadStep) => {
      this.#changeParcel(parcel, ({ files, ...rest }) => ({
        ...rest,
        files: files.map((each) => (each.key === key ? { ...each, step } : each)),
      }));
    };
    const abort = new AbortController();
    this.#upload = { parcel, abort };
    try {
      change({ state: 'uploading', sentBytes: 0, totalBytes: file.size });
      const data = await client.files.upload(file, {
        name: file.name,
        spoiler: isSpoiler,
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

  #find(key: string): Parcel | undefined {
    return this.#parcels.peek().find((parcel) => parcel.key === key);
  }

  #drop(key: string): void {
    this.#parcels.value = this.#parcels.peek().filter((parcel) => parcel.key !== key);
  }

  #changeParcel(key: string, change: (parcel: Parcel) => Parcel): void {
    this.#parcels.value = this.#parcels
      .peek()
      .map((parcel) => (parcel.key === key ? change(parcel) : parcel));
  }
}
