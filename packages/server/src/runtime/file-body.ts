/** Bytes of a file that a response carries, `end` excluded. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Up to this size a file whose Range header must not be obeyed is answered from memory, with its length. */
const IN_MEMORY_BYTES = 4 * 1024 * 1024;

/** The whole file as a body, sent by the kernel without passing through this process. */
export function wholeFile(path: string): BodyInit {
  return Bun.file(path);
}

/** A part of the file as a body, likewise. Only for 206: with 200 the runtime would apply the Range header again. */
export function partOfFile(path: string, range: ByteRange): BodyInit {
  return Bun.file(path).slice(range.start, range.end);
}

/**
 * The whole file although the request has a Range header, which the runtime would obey by itself.
 * Large files lose their Content-Length that way: they are streamed in chunks.
 */
export async function wholeFileDespiteRange(path: string, sizeBytes: number): Promise<BodyInit> {
  const file = Bun.file(path);
  if (sizeBytes <= IN_MEMORY_BYTES) return file.bytes();
  const reader = file.stream().getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
