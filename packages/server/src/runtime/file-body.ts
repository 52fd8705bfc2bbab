import { promises, statSync } from 'node:fs';
import { errorCode } from '../lib/error-code.ts';

/** Bytes of a file that a response carries, `end` excluded. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns whether the file exists with this many bytes. Synchronous: asking the system is far faster than changing
 * threads for it.
 */
export function isFileWhole(path: string, sizeBytes: number): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  return file !== undefined && file.isFile() && file.size === sizeBytes;
}

/**
 * The whole file as a body, sent by the kernel without passing through this process. The runtime itself obeys a
 * request's Range, unless the answer has a Content-Range.
 */
export function wholeFile(path: string): BodyInit {
  return Bun.file(path);
}

/**
 * The whole file as a body in memory, which any number of answers may share; undefined if it is missing or incomplete.
 */
export async function fileInMemory(path: string, sizeBytes: number): Promise<Blob | undefined> {
  if (!isFileWhole(path, sizeBytes)) return undefined;
  try {
    const bytes = await promises.readFile(path);
    return bytes.byteLength === sizeBytes ? new Blob([bytes]) : undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * A part of the file as a body, also sent by the kernel. Only for 206: with 200 the runtime would apply the Range
 * header again.
 */
export function partOfFile(path: string, { start, end }: ByteRange): BodyInit {
  return Bun.file(path).slice(start, end);
}
