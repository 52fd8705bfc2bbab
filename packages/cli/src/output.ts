import { errorCode } from '@hearth/server';
import type { Writable } from 'node:stream';

/** Text to a stream of the process. */
export interface Output {
  readonly write: (text: string) => void;
  /** Resolves when everything is written, with what went wrong. A reader that went away (`| head`) is nothing wrong. */
  readonly flush: () => Promise<Error | undefined>;
}

/** An output on `stream`. */
export function outputTo(stream: Writable): Output {
  let failure: Error | undefined;
  let written = Promise.resolve();
  // Without a listener a reader that went away would end the process.
  stream.on('error', () => {});
  const writeOne = (text: string) =>
    new Promise<void>((resolve) => {
      stream.write(text, (error) => {
        if (error && !isClosedPipe(error)) failure ??= error;
        resolve();
      });
    });
  return {
    write(text) {
      const [before, own] = [written, writeOne(text)];
      written = before.then(() => own);
    },
    async flush() {
      await written;
      return failure;
    },
  };
}

function isClosedPipe(error: Error): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(errorCode(error) ?? '');
}
