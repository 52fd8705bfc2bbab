import { statSync } from 'node:fs';

/** Bytes of a file that a response carries, `end` excluded. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A body with the headers that it needs. */
export interface FileBody {
  readonly body: BodyInit;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether the file is there. Synchronous: asking the system is far quicker than changing threads for it. */
export function isFileThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The whole file as a body, sent by the kernel without passing through this process. */
export function wholeFile(path: string): FileBody {
  return { body: Bun.file(path), headers: {} };
}

/** A part of the file as a body, likewise. Only for 206: with 200 the runtime would apply the Range header again. */
export function partOfFile(path: string, { start, end }: ByteRange): BodyInit {
  return Bun.file(path).slice(start, end);
}

/** Up to this size a file whose Range header must not be obeyed is answered from memory. */
const IN_MEMORY_BYTES = 1024 * 1024;

/**
 * The whole file although the request has a Range header, which the runtime would obey by itself: it does so only for
 * files, and only where an answer has no Content-Range yet. So small files go from memory, and large ones with a
 * Content-Range that is empty and has no meaning for clients beside status 200.
 */
export async function wholeFileDespiteRange(path: string, sizeBytes: number): Promise<FileBody> {
  const file = Bun.file(path);
  if (sizeBytes <= IN_MEMORY_BYTES) return { body: await file.bytes(), headers: {} };
  return { body: file, headers: { 'Content-Range': '' } };
}
