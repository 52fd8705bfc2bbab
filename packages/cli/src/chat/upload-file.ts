import type { Client, FileData, UploadProgress } from '@hearth/sdk';
import { basename } from 'node:path';
import { formatSize } from '../text.ts';
import { reasonOf } from './with-client.ts';

/** How files get from the disk to the instance. */
export interface UploadFileOptions {
  /** Throws an error whose text says why the file cannot be read. */
  readonly openFile: (path: string) => Promise<Blob>;
  readonly isSpoiler?: boolean;
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly signal?: AbortSignal;
}

/** A file of the own disk that cannot be uploaded. */
export class FileError extends Error {}

/** Uploads the file at `path`. Throws FileError and the library's errors. */
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
    const sizes = `it has ${formatSize(file.size)}, and the instance takes ${formatSize(most)} at most`;
    throw new FileError(`cannot upload ${path}: ${sizes}`);
  }
  return client.files.upload(file, {
    name: basename(path),
    spoiler: isSpoiler,
    onProgress,
    signal,
  });
}
