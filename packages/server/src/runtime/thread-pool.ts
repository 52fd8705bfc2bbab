import { dlopen } from 'bun:ffi';
import { availableParallelism } from 'node:os';

/** The number of threads of the process that each kind of work may hold. */
export interface ThreadShares {
  readonly hashing: number;
  readonly pictures: number;
  readonly files: number;
}

/** Enough for files, because a disk does hardly more at once. */
const FILE_THREADS = 4;

const VARIABLE = 'UV_THREADPOOL_SIZE';

const LIBRARIES: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'libc.so.6',
  darwin: 'libSystem.B.dylib',
};

let threads = availableParallelism();

/**
 * Gives the process as many threads as the shares need together: the runtime makes one per processor, which hashing and
 * pictures alone would take. It reads the number when it makes them, so this has to be called before anything else. A
 * number that the environment has is left as it is.
 *
 * @param given `UV_THREADPOOL_SIZE` of the environment.
 */
export function enlargeThreadPool(given: string | undefined): void {
  const library = LIBRARIES[process.platform];
  if (given !== undefined) threads = Number(given) || threads;
  if (given !== undefined || library === undefined) return;
  const text = (value: string) => Buffer.from(`${value}\0`);
  try {
    // Setting it in process.env does not reach the runtime.
    const { symbols } = dlopen(library, {
      setenv: { args: ['buffer', 'buffer', 'int'], returns: 'int' },
    });
    const isSet = symbols.setenv(text(VARIABLE), text(String(wanted())), 1) === 0;
    if (isSet) threads = wanted();
  } catch {
    // Another C library: the shares are smaller, then.
  }
}

/** The shares of this process. */
export function threadShares(): ThreadShares {
  return sharesOf(Math.max(2, threads), availableParallelism());
}

/**
 * Divides this many threads. Hashing and pictures leave a processor to everything else if there are several. With
 * fewer than three threads, the shares are one each, and one kind of work may have to wait for another.
 */
export function sharesOf(threads: number, processors: number): ThreadShares {
  const pictures = Math.min(4, Math.max(1, Math.floor(processors / 2)), Math.max(1, threads - 2));
  const hashing = Math.max(1, Math.min(processors - 1, threads - pictures - 1));
  return { pictures, hashing, files: Math.max(1, threads - pictures - hashing) };
}

function wanted(): number {
  const { pictures, hashing } = sharesOf(Infinity, availableParallelism());
  return pictures + hashing + FILE_THREADS;
}
