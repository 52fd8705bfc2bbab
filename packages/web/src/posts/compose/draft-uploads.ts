import { signal } from '@preact/signals';
import { newNonce, type Client, type FileData } from '@hearth/sdk';
import { MOST_MESSAGE_ATTACHMENTS } from '@hearth/protocol';
import {
  forgetPreviews,
  previewOf,
  type Refusal,
  type UploadingFile,
} from '../../conversation/uploads/uploading-message.ts';

/** A file on its way, and why it did not arrive. */
export interface DraftUpload extends UploadingFile {
  readonly error?: unknown;
}

interface UploadsOptions {
  readonly client: Pick<Client, 'capabilities' | 'files' | 'info'>;
  /** Called with each file that was uploaded. */
  readonly add: (data: FileData, content: Blob) => void;
}

/** The files of a post on their way to the instance, one after the other. */
export class DraftUploads implements Disposable {
  readonly files = signal<readonly DraftUpload[]>([]);
  readonly refused = signal<readonly Refusal[]>([]);
  readonly #options: UploadsOptions;
  readonly #ended = new AbortController();
  #isRunning = false;

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /** Uploads files, unless the instance would not accept them; `count` are attached already. */
  pick(files: Iterable<File>, count: number): void {
    const most = this.#options.client.info.attachment_file_size;
    const picked: DraftUpload[] = [];
    const refused: Refusal[] = [];
    for (const file of files) {
      const key = newNonce();
      const all = count + this.files.peek().length + picked.length;
      const reason =
        all >= MOST_MESSAGE_ATTACHMENTS
          ? 'too_many'
          : file.size === 0
            ? 'empty'
            : file.size > most
              ? 'too_big'
              : undefined;
      if (reason === undefined) {
        const previewUrl = previewOf(file);
        picked.push({ key, file, previewUrl, isSpoiler: false, step: { state: 'queued' } });
      } else refused.push({ key, name: file.name, sizeBytes: file.size, reason });
    }
    this.refused.value = refused;
    this.files.value = [...this.files.peek(), ...picked];
    void this.#run();
  }

  remove(key: string): void {
    const gone = this.files.peek().filter((file) => file.key === key);
    this.files.value = this.files.peek().filter((file) => file.key !== key);
    forgetPreviews(gone);
  }

  /** Tries a file again that did not arrive. */
  retry(key: string): void {
    this.#change(key, (upload) => {
      const { error: _, ...file } = upload;
      return { ...file, step: { state: 'queued' } };
    });
    void this.#run();
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    forgetPreviews(this.files.peek());
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const next = () => this.files.peek().find((file) => !('error' in file));
    for (let file = next(); file !== undefined && !this.#ended.signal.aborted; file = next()) {
      await this.#upload(file);
    }
    this.#isRunning = false;
  }

  async #upload({ key, file }: DraftUpload): Promise<void> {
    const { client, add } = this.#options;
    try {
      const data = await client.files.upload(file, {
        name: file.name,
        // Pictures say where they were taken, which nobody means to share.
        strip: client.capabilities?.features.includes('strip') ?? false,
        signal: this.#ended.signal,
        onProgress: (progress) =>
          this.#change(key, (each) => ({ ...each, step: { state: 'uploading', ...progress } })),
      });
      const isKept = this.files.peek().some((each) => each.key === key);
      this.remove(key);
      if (isKept) add(data, file);
    } catch (error) {
      this.#change(key, (each) => ({ ...each, error }));
    }
  }

  #change(key: string, how: (file: DraftUpload) => DraftUpload): void {
    this.files.value = this.files.peek().map((file) => (file.key === key ? how(file) : file));
  }
}
