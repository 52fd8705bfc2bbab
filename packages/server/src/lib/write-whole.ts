import { writeSync } from 'node:fs';
import { errorCode } from './error-code.ts';

const RETRY_MS = 10;

/**
 * Writes all of `text` before it returns, and waits for a reader that is slow. It uses the descriptor, because the
 * process's own streams take longer to load than everything else that a start needs of the runtime. Throws the
 * system's error.
 */
export function writeWhole(descriptor: number, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.byteLength > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
