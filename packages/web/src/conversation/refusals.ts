import { signal, type ReadonlySignal } from '@preact/signals';
import { ForbiddenError, type SdkClock, type Term } from '@hearth/sdk';

/** Why the instance lets nobody, or not this client, write. */
export interface Refusal {
  readonly code: 'paused' | 'banned';
  readonly untilMs: number | undefined;
  readonly reason: string | undefined;
}

/** Timers are not exact, and have a longest time. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** The last report of the instance about writing: by itself, or when it refused or accepted a message. */
export class Refusals implements Disposable {
  readonly #clock: SdkClock;
  readonly #current = signal<Refusal | undefined>(undefined);
  #stopTimer: (() => void) | undefined;

  constructor(clock: SdkClock) {
    this.#clock = clock;
  }

  /** Undefined if writing is allowed as far as is known, or the time is over. */
  get current(): ReadonlySignal<Refusal | undefined> {
    return this.#current;
  }

  /** The instance says that writing is refused until the end of `term`, or that it is not refused. */
  announce(code: Refusal['code'], term: Term | undefined): void {
    this.#show(term && { code, untilMs: term.until, reason: term.reason });
  }

  /** The outcome of `attempt`, unchanged. */
  async watch<Value>(attempt: Promise<Value>): Promise<Value> {
    try {
      const value = await attempt;
      this.#show(undefined);
      return value;
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal !== undefined) this.#show(refusal);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#stopTimer?.();
  }

  #show(refusal: Refusal | undefined): void {
    this.#stopTimer?.();
    this.#current.value = refusal;
    if (refusal?.untilMs === undefined) return;
    const leftMs = Math.max(0, refusal.untilMs - this.#clock.now());
    if (leftMs > LONGEST_WAIT_MS) return;
    this.#stopTimer = this.#clock.after(leftMs, () => this.#show(undefined));
  }
}

/** The refusal that an error reports; undefined for other errors. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (!(error instanceof ForbiddenError)) return undefined;
  const { code, untilMs, reason } = error;
  return code === 'paused' || code === 'banned' ? { code, untilMs, reason } : undefined;
}
