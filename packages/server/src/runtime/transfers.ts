import type { Clock } from '../lib/clock.ts';

/** Functions of a server that concern a request that it has received. */
export interface TransferRuntime {
  /** Returns whether the request is still being read or answered. */
  readonly isRunning: (request: Request) => boolean;
  /** Cuts the connection of a request if its peer takes nothing for this many seconds. */
  readonly allowPause: (request: Request, seconds: number) => void;
}

export interface TransferBounds {
  readonly clock: Clock;
  /** The number of transfers of one client that may run at once. */
  readonly perClient: number;
}

export interface TransfersOptions extends TransferBounds {
  /** Returns whether so many requests run that no connection may be kept waiting. */
  readonly isCrowded: () => boolean;
}

export interface NewTransfer {
  readonly client: string;
  readonly request: Request;
  /** The size of a download; undefined for an upload, which has its own limits of speed. */
  readonly sizeBytes: number | undefined;
  /** The server that has received the request. */
  readonly runtime: TransferRuntime;
}

interface Transfer extends Pick<NewTransfer, 'request' | 'runtime'> {
  readonly startedAtMs: number;
  /** When it has taken longer than the slowest line that is still served. */
  readonly lateAtMs: number;
  isHurried: boolean;
}

const LOOK_PERIOD_MS = 10_000;

/**
 * The time that a download may take, in addition to the time that a very slow line needs: the same as an upload (FS15).
 */
const GRACE_MS = 10 * 60_000;
const LEAST_BYTES_PER_MS = 1;

/** Shorter than the period of the runtime's checks: the next check cuts a late download unless its peer reads fast. */
const LATE_PAUSE_SECONDS = 1;

/** If others are about to be refused, a download that lasts this long may only pause for a shorter time. */
const CROWDED_GRACE_MS = 60_000;
const CROWDED_PAUSE_SECONDS = 20;

/**
 * The transfers that run, by client. The runtime does not report the end of an answer, but knows which requests still
 * run. It is asked when a client has reached its bound, and every ten seconds, when transfers that take too long are
 * cut.
 */
export class Transfers implements Disposable {
  readonly #options: TransfersOptions;
  readonly #byClient = new Map<string, Transfer[]>();
  #stopLooking: (() => void) | undefined;

  constructor(options: TransfersOptions) {
    this.#options = options;
  }

  /** Counts a transfer until it ends. Returns false, and counts nothing, if its client already has too many. */
  begin({ client, request, sizeBytes, runtime }: NewTransfer): boolean {
    const { clock, perClient } = this.#options;
    let transfers = this.#byClient.get(client);
    if (transfers === undefined) {
      transfers = [];
      this.#byClient.set(client, transfers);
      this.#stopLooking ??= clock.every(LOOK_PERIOD_MS, () => this.#look());
    } else if (transfers.length >= perClient) {
      transfers = this.#forgetEnded(client, transfers);
      if (transfers.length >= perClient) return false;
    }
    const startedAtMs = clock.monotonicMs();
    const lateAtMs =
      sizeBytes === undefined ? Infinity : startedAtMs + GRACE_MS + sizeBytes / LEAST_BYTES_PER_MS;
    transfers.push({ request, runtime, startedAtMs, lateAtMs, isHurried: false });
    return true;
  }

  [Symbol.dispose](): void {
    this.#stopLooking?.();
    this.#stopLooking = undefined;
    this.#byClient.clear();
  }

  #look(): void {
    const isCrowded = this.#options.isCrowded();
    for (const [client, transfers] of this.#byClient) {
      const running = this.#forgetEnded(client, transfers);
      if (running.length === 0) this.#byClient.delete(client);
      for (const transfer of running) this.#judge(transfer, isCrowded);
    }
    if (this.#byClient.size === 0) this[Symbol.dispose]();
  }

  #forgetEnded(client: string, transfers: readonly Transfer[]): Transfer[] {
    const running = transfers.filter(({ request, runtime }) => runtime.isRunning(request));
    this.#byClient.set(client, running);
    return running;
  }

  #judge(transfer: Transfer, isCrowded: boolean): void {
    const { request, runtime, startedAtMs, lateAtMs, isHurried } = transfer;
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs > lateAtMs) {
      runtime.allowPause(request, LATE_PAUSE_SECONDS);
    } else if (isCrowded && !isHurried && lateAtMs !== Infinity) {
      if (nowMs - startedAtMs < CROWDED_GRACE_MS) return;
      // Once, because each call restarts the time that the peer may pause.
      transfer.isHurried = true;
      runtime.allowPause(request, CROWDED_PAUSE_SECONDS);
    }
  }
}
