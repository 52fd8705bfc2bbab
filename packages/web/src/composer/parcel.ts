import type { FileData } from '@hearth/sdk';

/** A file that goes with the message that is being written. */
export interface PickedFile {
  readonly key: string;
  readonly file: File;
  /** Of a picture: an address to show it by, as long as it is picked or on its way. */
  readonly previewUrl: string | undefined;
  readonly isSpoiler: boolean;
}

/** Why a file was not taken. */
export interface Refusal {
  readonly key: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly reason: 'empty' | 'too_big';
}

/** How far a file is. */
export type UploadStep =
  | { readonly state: 'queued' }
  | { readonly state: 'uploading'; readonly sentBytes: number; readonly totalBytes: number }
  | { readonly state: 'done'; readonly data: FileData };

/** A file on its way. */
export interface ParcelFile extends PickedFile {
  readonly step: UploadStep;
}

/** A message whose files are on their way; it is sent when they are there. */
export interface Parcel {
  readonly key: string;
  readonly text: string;
  readonly files: readonly ParcelFile[];
  readonly at:
    | { readonly state: 'running' }
    | { readonly state: 'failed'; readonly error: unknown };
}

/** The addresses of the files made a message longer than it may be. */
export class MessageTooLongError extends Error {
  readonly length: number;
  readonly limit: number;

  constructor(length: number, limit: number) {
    super(`The message has ${length} characters with its files, of ${limit}`);
    this.name = new.target.name;
    this.length = length;
    this.limit = limit;
  }
}

/** The outbox takes no more. */
export class TooManyMessagesError extends Error {
  constructor() {
    super('Too many messages wait already');
    this.name = new.target.name;
  }
}

/** Pictures that every browser shows; no SVG, which is a document. */
const PREVIEWED = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** An address to show `file` by, if it is a picture. */
export function previewOf(file: File): string | undefined {
  return PREVIEWED.has(file.type) ? URL.createObjectURL(file) : undefined;
}

/** Lets go of what `files` are shown by. */
export function forgetPreviews(files: readonly PickedFile[]): void {
  for (const { previewUrl } of files) {
    if (previewUrl !== undefined) URL.revokeObjectURL(previewUrl);
  }
}
