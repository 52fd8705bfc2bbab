import type { FileData } from '@hearth/sdk';

/** A file that was picked, and how much of it is uploaded. */
export interface PickedFile {
  readonly key: string;
  readonly file: File;
  /** An address of a picture's preview, while it is picked or being uploaded. */
  readonly previewUrl: string | undefined;
  readonly isSpoiler: boolean;
  readonly step: UploadStep;
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

/** Something whose files are being uploaded; it is sent when they are done. */
export interface Upload {
  readonly key: string;
  readonly text: string;
  readonly files: readonly PickedFile[];
  readonly at:
    | { readonly state: 'running' }
    | { readonly state: 'failed'; readonly error: unknown };
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
