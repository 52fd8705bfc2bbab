import type { FileHandle } from 'node:fs/promises';
import { Semaphore } from '../../lib/semaphore.ts';
import type { S3Bucket, S3ListedObject, S3Method } from '../../runtime/s3.ts';
import { Deadline } from './deadline.ts';
import { answeredError, brokenError, clientError, S3Error, silentError } from './s3-error.ts';

/** The longest time of a request without a body, including the wait for its turn. */
const SMALL_REQUEST_MS = 3_000;

/**
 * The time for which an upload may make no progress. The system buffers some megabytes whose progress is not visible,
 * so the line needs about one megabyte a second.
 */
const UPLOAD_SILENCE_MS = 5_000;

/**
 * The least number of bytes that S3 stores in a second after the last byte, besides what it stores in the silence
 * above.
 */
const STORED_BYTES_A_SECOND = 4 * 1024 ** 2;

/** The longest time that any upload may take. Recovery relies on this when it removes leftovers. */
const UPLOAD_MOST_MS = 30 * 60_000;

/**
 * The time for which S3 may send nothing during a read, and for which a reader may pause before its connection is given
 * to others.
 */
const READ_SILENCE_MS = 5_000;

// The runtime sends at most 256 requests at once.
const MOST_REQUESTS = 64;
const MOST_READS = 160;

const ATTEMPTS = 2;
const RETRY_MS = 100;
const CHUNK_BYTES = 64 * 1024;

/** The facts that S3 reports about an object. */
export interface S3Facts {
  readonly sizeBytes: number;
  /** On most servers, equal for equal bytes that were uploaded in one piece. */
  readonly etag: string | undefined;
}

/** The bytes of an object as S3 sends them. Must be disposed, at the end or before. */
export interface S3Bytes extends Disposable {
  /** True if the connection was given up because the reader paused for too long. */
  readonly isOver: boolean;
  /** The next bytes; undefined after the last. */
  next(): Promise<Uint8Array | undefined>;
}

interface S3Request {
  readonly method: S3Method;
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: () => BodyInit;
}

/**
 * Sends requests to a bucket: a limited number at once, each for a limited time, and a second time if the connection
 * broke or S3 could not answer then. Every error is an S3Error.
 */
export class S3Requests {
  readonly #bucket: S3Bucket;
  readonly #permits = new Semaphore(MOST_REQUESTS);
  readonly #readPermits = new Semaphore(MOST_READS);

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket;
  }

  /** Returns undefined if the object is missing. */
  async head(key: string): Promise<S3Facts | undefined> {
    using deadline = new Deadline(SMALL_REQUEST_MS);
    const { status, headers } = await this.#settle({ method: 'HEAD', key }, deadline);
    if (status === 404) return undefined;
    const etag = headers.get('etag') ?? undefined;
    return { sizeBytes: Number(headers.get('content-length')), etag };
  }

  /** Writes an empty object. */
  async mark(key: string): Promise<void> {
    using deadline = new Deadline(SMALL_REQUEST_MS);
    await this.#settle({ method: 'PUT', key, body: () => '' }, deadline);
  }

  /** Uploads an object in one piece, so that it is there completely or not at all. Returns its ETag. */
  async putFile(key: string, file: FileHandle, sizeBytes: number): Promise<string | undefined> {
    using deadline = new Deadline(UPLOAD_SILENCE_MS, UPLOAD_MOST_MS);
    const headers = {
      'Content-Length': String(sizeBytes),
      'Content-Type': 'application/octet-stream',
    };
    // The runtime also takes a file as a body, but holds all of it in memory if the connection is encrypted.
    const body = () => (sizeBytes === 0 ? '' : bytesOf(file, sizeBytes, deadline));
    const answer = await this.#settle({ method: 'PUT', key, headers, body }, deadline);
    return answer.headers.get('etag') ?? undefined;
  }

  /** A missing object is not an error. */
  async delete(key: string): Promise<void> {
    using deadline = new Deadline(SMALL_REQUEST_MS);
    await this.#settle({ method: 'DELETE', key }, deadline);
  }

  /** Reads the bytes of an object from `start` up to `end`, which is excluded. There must be at least one. */
  async read(key: string, { start, end }: { start: number; end: number }): Promise<S3Bytes> {
    const what = `GET ${key}`;
    using cleanUp = new DisposableStack();
    const deadline = cleanUp.use(new Deadline(READ_SILENCE_MS));
    cleanUp.use(await permitOf(this.#readPermits, what, deadline));
    const headers = { Range: `bytes=${start}-${end - 1}` };
    const response = await this.#fetch({ method: 'GET', key, headers }, deadline);
    const { status } = response;
    if (status !== 206 && (status !== 200 || start > 0)) throw await refusal(what, response);
    const reader = response.body?.getReader();
    const owned = cleanUp.move();
    deadline.signal.addEventListener('abort', () => owned.dispose());
    return {
      get isOver() {
        return deadline.isOver;
      },
      async next() {
        deadline.touch();
        try {
          return (await reader?.read())?.value;
        } catch (error) {
          throw failure(what, error, deadline);
        }
      },
      [Symbol.dispose]: () => deadline.abort(),
    };
  }

  /** Lists every object whose key begins with `prefix`. */
  async *list(prefix: string): AsyncGenerator<S3ListedObject> {
    let after: string | undefined;
    do {
      const objects = await this.#listSome(prefix, after);
      yield* objects;
      after = objects.at(-1)?.key;
    } while (after !== undefined);
  }

  async #listSome(prefix: string, after?: string): Promise<readonly S3ListedObject[]> {
    const what = `a list of ${prefix}`;
    using deadline = new Deadline(SMALL_REQUEST_MS);
    using _permit = await permitOf(this.#permits, what, deadline);
    const { promise: isOver, reject } = Promise.withResolvers<never>();
    deadline.signal.addEventListener('abort', () => reject(silentError(what, SMALL_REQUEST_MS)));
    const listed = this.#bucket.list(prefix, after).catch((error: unknown) => {
      throw clientError(what, error);
    });
    return await Promise.race([listed, isOver]);
  }

  /**
   * Returns the response after reading its body, which is not needed. For methods other than PUT, 404 is a response,
   * too.
   */
  async #settle(request: S3Request, deadline: Deadline): Promise<Response> {
    const what = `${request.method} ${request.key}`;
    using _permit = await permitOf(this.#permits, what, deadline);
    let unsure: S3Error | undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await this.#fetch(request, deadline);
        const { status } = response;
        const isMissing = status === 404 && request.method !== 'PUT';
        if (status !== 200 && status !== 204 && !isMissing) throw await refusal(what, response);
        await response.bytes();
        return response;
      } catch (error) {
        const failed = failure(what, error, deadline);
        // Whatever the second attempt returned, S3 may have carried out the first one.
        if (attempt === ATTEMPTS || !failed.hasBroken) throw unsure ?? failed;
        unsure = failed;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async #fetch({ method, key, headers, body }: S3Request, deadline: Deadline): Promise<Response> {
    try {
      return await fetch(this.#bucket.sign(method, key), {
        method,
        // No compression on the way.
        headers: { 'Accept-Encoding': 'identity', ...headers },
        redirect: 'manual',
        signal: deadline.signal,
        ...(body && { body: body() }),
      });
    } catch (error) {
      throw failure(`${method} ${key}`, error, deadline);
    }
  }
}

async function permitOf(
  permits: Semaphore,
  what: string,
  { signal }: Deadline,
): Promise<Disposable> {
  const permit = await permits.acquire({ signal });
  if (permit === undefined) throw new S3Error(`S3 is too busy for ${what}`, 'unsent');
  return permit;
}

function bytesOf(file: FileHandle, sizeBytes: number, deadline: Deadline): ReadableStream {
  let sent = 0;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, sizeBytes - sent));
    const { bytesRead } = await file.read(chunk, 0, chunk.byteLength, sent);
    if (bytesRead === 0) throw new Error('the file is shorter than what was written to it');
    sent += bytesRead;
    deadline.touch();
    controller.enqueue(chunk.subarray(0, bytesRead));
    if (sent < sizeBytes) return;
    deadline.allow(UPLOAD_SILENCE_MS + (sizeBytes / STORED_BYTES_A_SECOND) * 1_000);
    controller.close();
  };
  return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
}

async function refusal(what: string, response: Response): Promise<S3Error> {
  return answeredError(what, response.status, await response.text());
}

function failure(what: string, error: unknown, deadline: Deadline): S3Error {
  if (error instanceof S3Error) return error;
  return deadline.isOver ? silentError(what, deadline.quietMs) : brokenError(what, error);
}
