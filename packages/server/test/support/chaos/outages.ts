import type { OwnServers } from '@hearth/testing/servers/shared-servers';
import type { Choices } from './choices.ts';

/** The times in milliseconds that a server is away: for less and for more than a request waits for it. */
const DURATIONS_MS = [100, 500, 3_500];
/** The time in milliseconds after an outage in which requests may still fail. */
const RECOVERY_MS = 5_000;

/** Makes the servers of an instance fail for a while, as docs/operate/scale-out.md says. */
export class Outages {
  readonly #servers: OwnServers;
  #isOverAt = 0;
  #begun = 0;

  constructor(servers: OwnServers) {
    this.#servers = servers;
  }

  get count(): number {
    return this.#begun;
  }

  /** True while requests may fail. */
  get isNow(): boolean {
    return performance.now() < this.#isOverAt;
  }

  /** Begins one, most often. Resolves when it is over. */
  begin(choices: Choices): Promise<void> | undefined {
    const { postgres, redis } = this.#servers;
    const durationMs = choices.of(DURATIONS_MS);
    const kind = choices.below(6);
    if (kind === 5) return undefined;
    this.#begun += 1;
    if (kind === 0) return this.#during(durationMs, [() => redis.stop(), () => redis.start()]);
    if (kind === 1) return this.#during(durationMs, [() => redis.pause(), () => redis.resume()]);
    if (kind === 2)
      return this.#during(durationMs, [() => postgres.stop(), () => postgres.start()]);
    if (kind === 3)
      return this.#during(durationMs, [() => postgres.pause(), () => postgres.resume()]);
    const both = [
      () => Promise.all([redis.stop(), postgres.pause()]),
      () => Promise.all([redis.start(), postgres.resume()]),
    ] as const;
    return this.#during(durationMs, both);
  }

  async #during(
    durationMs: number,
    [begin, end]: readonly [() => unknown, () => unknown],
  ): Promise<void> {
    this.#isOverAt = Infinity;
    await begin();
    await Bun.sleep(durationMs);
    await end();
    this.#isOverAt = performance.now() + RECOVERY_MS;
  }
}
