import type { FileData } from '@hearth/sdk';

/** A file picked for the message that is being written. */
export interface PickedFile {
  readonly key: string;
  readonly file: File;
  /** An address of a picture's preview, while it is picked or being uploaded. */
  readonly previewUrl: string | undefined;
  readonly isSpoiler: boolean;
}

/** Why a file was not accepted. */
export interface Refusal {
  readonly key: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly reason: 'empty' | 'too_big' | 'too_many';
}

/** The progress of a file. */
export type UploadStep =
  | { readonly state: 'queued' }
  | { readonly state: 'uploading'; readonly sentBytes: number; readonly totalBytes: number }
  | { readonly state: 'done'; readonly data: FileData };

/** A file of a message that is being uploaded. */
export interface UploadingFile extends PickedFile {
  readonly step: UploadStep;
}

/** A message whose files are being uploaded; it is sent when they are done. */
export interface UploadingMessage {
  readonly key: string;
  readonly text: string;
  readonly files: readonly UploadingFile[];
  readonly at:
    | { readonly state: 'running' }
    | { readonly state: 'failed'; readonly error: unknown };
}

/** With the addresses of its files, a message is longer than it may be. */
export class MessageTooLongError extends Error {
  readonly length: number;
  readonly limit: number;

  constructor(length: number, limit: number) {
    super(`With its files, the message has ${length} characters; ${limit} are allowed`);
    this.name = new.target.name;
    this.length = length;
    this.limit = limit;
  }
}

/** The outbox accepts no more messages. */
export class TooManyMessagesError extends Error {
  constructor() {
    super('Too many messages are already waiting');
    this.name = new.target.name;
  }
}

/** Pictures that every browser shows; no SVG, which is a document. */
const PREVIEWED = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** An address for a preview of `file`, if it is a picture. */
export function previewOf(file: File): string | undefined {
  return PREVIEWED.has(file.type) ? URL.createObjectURL(file) : undefined;
}

/** Releases the previews of `files`. */
export function forgetPreviews(files: readonly PickedFile[]): void {
  for (const { previewUrl } of files) {
    if (previewUrl !== undefined) URL.revokeObjectURL(previewUrl);
  }
}
