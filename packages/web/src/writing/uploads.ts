import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import {
  NetworkError,
  newNonce,
  type Client,
  type FileData,
  type LimitState,
  type SdkClock,
} from '@hearth/sdk';
import { CleanUp } from '../lib/clean-up.ts';
import { KeyedList } from './keyed-list.ts';
import {
  forgetPreviews,
  previewOf,
  type PickedFile,
  type Refusal,
  type Upload,
  type UploadStep,
} from './upload.ts';

const QUEUED: UploadStep = { state: 'queued' };

export interface UploadsOptions {
  readonly client: Pick<Client, 'capabilities' | 'files' | 'info' | 'on'>;
  readonly isReachable: ReadonlySignal<boolean>;
  readonly clock: SdkClock;
  /** The largest number of files that a message or post has. */
  readonly mostFiles: number;
  /** Takes a text whose files are uploaded; throws if it cannot be accepted now. */
  deliver(text: string, files: readonly FileData[]): void;
  /** Returns the text of what was cancelled to the draft. */
  putBack?(text: string): void;
  /** Called with uploaded files, which need not be fetched to be shown. */
  remember(data: FileData, content: Blob): void;
}

/** The picked files, and what waits for its files. One file is uploaded at a time. */
export class Uploads implements Disposable {
  readonly picked: ReadonlySignal<readonly PickedFile[]>;
  readonly refused: ReadonlySignal<readonly Refusal[]>;
  readonly sending: ReadonlySignal<readonly Upload[]>;
  /** When the limit allows the next file, if one waits for it; our Unix clock. */
  readonly waitsUntilMs: ReadonlySignal<number | undefined>;
  readonly #options: UploadsOptions;
  readonly #picked = new KeyedList<PickedFile>();
  readonly #refused = signal<readonly Refusal[]>([]);
  readonly #uploads = new KeyedList<Upload>();
  readonly #limit = signal<LimitState | undefined>(undefined);
  readonly #cleanUp = new CleanUp();
  /** The upload in progress. */
  #current: { readonly key: string; readonly abort: AbortController } | undefined;
  #isRunning = false;
  #hasEnded = false;

  constructor(options: UploadsOptions) {
    this.#options = options;
    this.picked = this.#picked.all;
    this.refused = this.#refused;
    this.sending = this.#uploads.all;
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

  /** The largest number of files that a message or post has. */
  get mostFiles(): number {
    return this.#options.mostFiles;
  }

  /** Adds files to what is being written, which has `others`; refuses those that the instance would not accept. */
  pick(files: Iterable<File>, others = 0): void {
    const { client, mostFiles } = this.#options;
    const mostBytes = client.info.attachment_file_size;
    const refused: Refusal[] = [];
    const picked: PickedFile[] = [];
    for (const file of files) {
      const key = newNonce();
      const count = others + this.picked.peek().length + picked.length;
      if (count < mostFiles && file.size > 0 && file.size <= mostBytes) {
        picked.push({ key, file, previewUrl: previewOf(file), isSpoiler: false, step: QUEUED });
        continue;
      }
      const reason = count >= mostFiles ? 'too_many' : file.size === 0 ? 'empty' : 'too_big';
      refused.push({ key, name: file.name, sizeBytes: file.size, reason });
    }
    batch(() => {
      this.#picked.add(...picked);
      this.#refused.value = refused;
    });
  }

  /** Uploads files at once, each by itself. */
  upload(files: Iterable<File>, others: number): void {
    this.pick(files, others + this.sending.peek().length);
    for (const file of this.#picked.take()) this.#start('', [file]);
  }

  /** Removes a picked file. */
  remove(key: string): void {
    forgetPreviews(this.picked.peek().filter((file) => file.key === key));
    this.#picked.drop(key);
  }

  /** Sets whether a file is hidden until the reader asks for it. */
  setSpoiler(key: string, isSpoiler: boolean): void {
    this.#picked.change(key, (file) => ({ ...file, isSpoiler }));
  }

  /** Dismisses the refused files, which the reader has seen. */
  forgetRefused(): void {
    this.#refused.value = [];
  }

  /** Uploads the picked files, and then delivers `text` with them. */
  dispatch(text: string): void {
    batch(() => {
      this.forgetRefused();
      this.#start(text, this.#picked.take());
    });
  }

  /** Cancels an upload: its text and its files are as they were before. */
  cancel(key: string): void {
    const upload = this.#uploads.find(key);
    if (upload === undefined) return;
    batch(() => {
      this.#end(key);
      this.#picked.addBefore(...upload.files.map((file) => ({ ...file, step: QUEUED })));
      this.#options.putBack?.(upload.text);
    });
  }

  /** Forgets an upload. */
  drop(key: string): void {
    forgetPreviews(this.#uploads.find(key)?.files ?? []);
    this.#end(key);
  }

  /** Resumes what has failed; files that are already uploaded are kept. */
  retry(key: string): void {
    this.#uploads.change(key, (upload) => ({ ...upload, at: { state: 'running' } }));
    void this.#run();
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true;
    this.#cleanUp.dispose();
    this.#current?.abort.abort();
    forgetPreviews([...this.picked.peek(), ...this.sending.peek().flatMap(({ files }) => files)]);
  }

  #start(text: string, files: readonly PickedFile[]): void {
    this.#uploads.add({ key: newNonce(), text, files, at: { state: 'running' } });
    void this.#run();
  }

  #end(key: string): void {
    this.#uploads.drop(key);
    if (this.#current?.key === key) this.#current.abort.abort();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let upload = this.#next(); upload !== undefined; upload = this.#next()) {
        await this.#finish(upload);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #next(): Upload | undefined {
    if (this.#hasEnded || !this.#options.isReachable.peek()) return undefined;
    return this.sending.peek().find(({ at }) => at.state === 'running');
  }

  async #finish({ key, text, files }: Upload): Promise<void> {
    try {
      const uploaded: FileData[] = [];
      for (const file of files) {
        uploaded.push(file.step.state === 'done' ? file.step.data : await this.#send(key, file));
        if (this.#uploads.find(key) === undefined) return;
      }
      this.#options.deliver(text, uploaded);
      this.drop(key);
    } catch (error) {
      const isKept = error instanceof NetworkError && !this.#options.isReachable.peek();
      this.#uploads.change(key, (upload) => ({
        ...upload,
        files: upload.files.map((file) =>
          file.step.state === 'done' ? file : { ...file, step: QUEUED },
        ),
        at: isKept ? upload.at : { state: 'failed', error },
      }));
    }
  }

  async #send(uploadKey: string, { key, file, isSpoiler }: PickedFile): Promise<FileData> {
    const { client } = this.#options;
    const change = (step: UploadStep) =>
      this.#uploads.change(uploadKey, ({ files, ...rest }) => ({
        ...rest,
        files: files.map((each) => (each.key === key ? { ...each, step } : each)),
      }));
    const abort = new AbortController();
    this.#current = { key: uploadKey, abort };
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
      this.#current = undefined;
    }
  }
}
