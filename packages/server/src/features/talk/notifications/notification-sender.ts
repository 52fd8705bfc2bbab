import type { Context } from '../../../context.ts';
import { PeriodicWork } from '../../../lib/periodic-work.ts';
import { sendNotifications, sendStored, type SendingContext } from './send-notifications.ts';
import type { KeepsUnsentNotifications } from './unsent-notifications.ts';

/** The time after which to look again for what other processes, or an earlier one, have left. */
const PERIOD_MS = 5_000;

/**
 * The time in milliseconds for which it does not look again: a little less than a period, so that it looks in each one.
 */
const LOOK_MS = 4_000;

/** The number of notifications that are sent in a transaction. */
const AT_ONCE = 200;

/**
 * Sends notifications soon after the messages, posts and comments that they are about are stored. If a process ends before it has
 * sent its own, another one sends them, or this one after its next start.
 */
export class NotificationSender implements AsyncDisposable {
  readonly #ctx: SendingContext & Pick<Context, 'clock'> & KeepsUnsentNotifications;
  readonly #work: PeriodicWork;
  #lookedAtMs = -Infinity;

  constructor(ctx: SendingContext & Context & KeepsUnsentNotifications) {
    this.#ctx = ctx;
    this.#work = new PeriodicWork({
      clock: ctx.clock,
      periodMs: PERIOD_MS,
      work: () => this.#send(),
      onFailure: (error) => ctx.log.error({ err: error }, 'notifications cannot be sent'),
    });
    ctx.unsentNotifications.onNote = () => void this.#run();
    void this.#run();
  }

  /** Stops; resolves when what is being sent is sent. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ctx.unsentNotifications.onNote = () => {};
    await this.#work[Symbol.asyncDispose]();
  }

  async #run(): Promise<void> {
    // What is noted while a run ends is sent by the next one.
    do await this.#work.run();
    while (!this.#ctx.unsentNotifications.isEmpty && !this.#work.isEnding);
  }

  async #send(): Promise<void> {
    const { unsentNotifications: unsent, clock } = this.#ctx;
    while (!unsent.isEmpty && !this.#work.isEnding) {
      await sendNotifications(this.#ctx, unsent.take(AT_ONCE));
    }
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#lookedAtMs < LOOK_MS) return;
    for (let sent = AT_ONCE; sent === AT_ONCE && !this.#work.isEnding;) {
      sent = await sendStored(this.#ctx, AT_ONCE);
    }
    this.#lookedAtMs = nowMs;
  }
}
