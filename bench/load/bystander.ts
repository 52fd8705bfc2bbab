import { Worker } from 'node:worker_threads';

export interface BystanderTask {
  /** They take turns. */
  readonly ports: readonly number[];
  readonly path: string;
  readonly authorization: string;
}

/** The outcome of posts. */
export interface BystanderPosts {
  /** The time that each of them took until it was answered. */
  readonly milliseconds: readonly number[];
  /** The number of posts that were answered with 5xx, or with nothing. */
  readonly failed: number;
}

const WORKER = new URL('bystander-worker.ts', import.meta.url);

/** Somebody who posts fifty times a second. A thread of its own, so that the work of other loads is not in its figures. */
export class Bystander implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #fault = Promise.withResolvers<never>();

  constructor(task: BystanderTask) {
    this.#worker = new Worker(WORKER, { workerData: task });
    this.#worker.on('error', this.#fault.reject);
    // Until somebody waits for posts.
    this.#fault.promise.catch(() => {});
  }

  /** Posts while some work is done. Returns the outcome of both. */
  async postDuring<Result>(
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly posts: BystanderPosts }> {
    this.#worker.postMessage('begin');
    const result = await work();
    const { promise, resolve } = Promise.withResolvers<BystanderPosts>();
    this.#worker.once('message', resolve);
    this.#worker.postMessage('end');
    return { result, posts: await Promise.race([promise, this.#fault.promise]) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
