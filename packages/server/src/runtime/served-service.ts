import { within } from '../lib/within.ts';
import type { RequestCount } from './request-count.ts';
import { RequestTurns } from './request-turns.ts';
import { Transfers, type TransferBounds } from './transfers.ts';

/** The bounds of an HTTP service, which hold for all its ports together. */
export interface ServiceBounds {
  /** Seconds that a connection may be silent, also within a request, unless its request allows more. */
  readonly silenceSeconds: number;
  /** Seconds that a reader may take nothing of a file; no request can change it. */
  readonly unreadSeconds: number;
  /** Requests that may run at once, including those whose answers are being sent. */
  readonly mostRequests: number;
  /** Bounds of the transfers among them; without bounds, no request counts as a transfer. */
  readonly transfers?: TransferBounds | undefined;
  /** Answers a request beyond that number, whose body is not taken. */
  readonly onCrowd: () => Response;
}

/** Sends an answer by calling the first with the second, once it is to be sent. */
export type Send = (resolve: (response: Response) => void, response: Response) => void;

/** The time that a stop waits for handlers whose connections are gone. */
const LAST_HANDLER_MS = 1_000;

/** An HTTP service that listens on one port or on several: its bounds, and what runs on all these ports. */
export class ServedService implements Disposable {
  readonly bounds: ServiceBounds;
  readonly transfers: Transfers | undefined;
  readonly turns = new RequestTurns();
  readonly #counts: RequestCount[] = [];
  #handlerCount = 0;
  #onEnd: (() => void) | undefined;

  constructor(bounds: ServiceBounds) {
    this.bounds = bounds;
    this.transfers =
      bounds.transfers === undefined
        ? undefined
        : new Transfers({ ...bounds.transfers, isCrowded: () => this.isCrowded });
  }

  addPort(count: RequestCount): void {
    this.#counts.push(count);
  }

  /** True if any request runs. Known only of a service whose requests are bounded. */
  get isBusy(): boolean {
    return this.#runsMoreThan(0);
  }

  /** True if more requests run than may. */
  get isFull(): boolean {
    return this.#runsMoreThan(this.bounds.mostRequests);
  }

  /** True if the service is so busy that no connection may be kept waiting. */
  get isCrowded(): boolean {
    return this.#runsMoreThan(this.bounds.mostRequests / 2);
  }

  /** Counts a handler until it has made its answer, calls `onEnd` then, and gives the answer to `send`. */
  until(
    answer: Promise<Response>,
    { onEnd, send }: { readonly onEnd: () => void; readonly send: Send },
  ): Promise<Response> {
    this.#handlerCount += 1;
    return new Promise((resolve, reject) => {
      answer.then(
        (response) => {
          this.#end(onEnd);
          send(resolve, response);
        },
        (error: unknown) => {
          this.#end(onEnd);
          reject(error);
        },
      );
    });
  }

  /**
   * Resolves when no handler runs, or after `timeoutMs`: handlers whose connections were cut may still undo what they had
   * begun.
   */
  async ended(timeoutMs = LAST_HANDLER_MS): Promise<void> {
    if (this.#handlerCount === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const earlier = this.#onEnd;
    this.#onEnd = () => {
      earlier?.();
      resolve();
    };
    await within(promise, timeoutMs);
  }

  [Symbol.dispose](): void {
    this.transfers?.[Symbol.dispose]();
  }

  #runsMoreThan(most: number): boolean {
    if (this.#size <= most) return false;
    for (const count of this.#counts) count.forgetEnded();
    return this.#size > most;
  }

  get #size(): number {
    let size = 0;
    for (const count of this.#counts) size += count.size;
    return size;
  }

  #end(onEnd: () => void): void {
    onEnd();
    this.#handlerCount -= 1;
    if (this.#handlerCount === 0) this.#onEnd?.();
  }
}
