/** The least and the greatest length of a pause. */
const LEAST_MS = 20;
const MOST_MS = 250;

/** With more than this share of a processor, the process has other work. */
const BUSY_SHARE = 0.5;

/** Pauses between the steps of background work, longer ones while the process has other work. */
export class Pace {
  readonly #end = Promise.withResolvers<void>();
  #pauseMs = LEAST_MS;

  async pause(): Promise<void> {
    const [startedAtMs, before] = [performance.now(), process.cpuUsage()];
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#pauseMs);
    await Promise.race([isOver, this.#end.promise]);
    clearTimeout(timer);
    const { user, system } = process.cpuUsage(before);
    const share = (user + system) / 1_000 / (performance.now() - startedAtMs);
    this.#pauseMs =
      share > BUSY_SHARE
        ? Math.min(MOST_MS, this.#pauseMs * 2)
        : Math.max(LEAST_MS, this.#pauseMs / 2);
  }

  /** Ends the current pause and all later ones. */
  end(): void {
    this.#end.resolve();
  }
}
