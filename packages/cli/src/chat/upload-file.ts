import type { Client, FileData, UploadProgress } from '@hearth/sdk';
import { basename } from 'node:path';
import { formatSize } from '../text.ts';
import { reasonOf } from './with-client.ts';

/** Options of an upload. */
export interface UploadFileOptions {
  /** Throws an error with the reason if the file cannot be read. */
  readonly openFile: (path: string) => Promise<Blob>;
  readonly isSpoiler?: boolean;
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly signal?: AbortSignal;
}

/** A local file that cannot be uploaded. */
export class FileError extends Error {}

/** Uploads the file at `path`. Throws FileError and the SDK's errors. */
export async function uploadFile(
  client: Client,
  path: string,
  { openFile, isSpoiler = false, onProgress, signal }: UploadFileOptions,
): Promise<FileData> {
  const file = await openFile(path).catch((error: unknown) => {
    throw new FileError(reasonOf(error));
  });
  const most = client.info.attachment_file_size;
  if (file.size > most) {
    const sizes = `it has ${formatSize(file.size)}, the server accepts at most ${formatSize(most)}`;
    throw new FileError(`cannot upload ${path}: ${sizes}`);
  }
  return client.files.upload(file, {
    name: basename(path),
    spoiler: isSpoiler,
    onProgress,
    signal,
  });
}
