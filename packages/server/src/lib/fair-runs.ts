/** Bounds of what runs and of what waits, for all clients together and for each. */
export interface FairRunsBounds {
  readonly running: number;
  readonly runningOfOne: number;
  readonly waiting: number;
  readonly waitingOfOne: number;
}

export interface FairRun<Result> {
  /** Names what `work` does: callers who ask for the same share a run. */
  readonly key: string;
  readonly client: string;
  readonly work: () => Promise<Result>;
}

interface ComingRun<Result> extends Omit<FairRun<Result>, 'client'> {
  readonly outcome: PromiseWithResolvers<Result>;
  /** The clients that wait for it. */
  readonly clients: Set<string>;
}

/** The client whose turn it is, and what it waits for. */
interface Turn<Result> {
  readonly client: string;
  readonly run: ComingRun<Result>;
}

/**
 * Runs a little at a time. Clients that wait take turns, and none may take all places, so that nobody is held up by what one
 * client asks for. Runs of one key follow each other, and callers who ask before a run of their key begins share it: its
 * result is newer than every one of their calls.
 */
export class FairRuns<Result> {
  readonly #bounds: FairRunsBounds;
  readonly #coming = new Map<string, ComingRun<Result>>();
  /** The keys of what is being run. */
  readonly #running = new Set<string>();
  readonly #runningOf = new Map<string, number>();
  /** The runs that each client waits for; the client whose turn is next comes first. */
  readonly #waitingOf = new Map<string, Set<ComingRun<Result>>>();
  #waiting = 0;

  constructor(bounds: FairRunsBounds) {
    this.#bounds = bounds;
  }

  /** Settles like a run that begins after the call; undefined if too much waits already. */
  run({ key, client, work }: FairRun<Result>): Promise<Result> | undefined {
    const known = this.#coming.get(key);
    if (known?.clients.has(client)) return known.outcome.promise;
    const waiting = this.#waitingOf.get(client)?.size ?? 0;
    const { waiting: most, waitingOfOne } = this.#bounds;
    if (this.#waiting >= most || waiting >= waitingOfOne) return undefined;
    const run = known ?? this.#add(key, work);
    this.#wait(client, run);
    this.#begin();
    return run.outcome.promise;
  }

  #add(key: string, work: () => Promise<Result>): ComingRun<Result> {
    const outcome = Promise.withResolvers<Result>();
    const run = { key, work, outcome, clients: new Set<string>() };
    this.#coming.set(key, run);
    return run;
  }

  #wait(client: string, run: ComingRun<Result>): void {
    run.clients.add(client);
    this.#waitingOf.getOrInsertComputed(client, () => new Set()).add(run);
    this.#waiting += 1;
  }

  #begin(): void {
    while (this.#running.size < this.#bounds.running) {
      const next = this.#next();
      if (next === undefined) return;
      void this.#run(next);
    }
  }

  #next(): Turn<Result> | undefined {
    for (const [client, waiting] of this.#waitingOf) {
      if ((this.#runningOf.get(client) ?? 0) >= this.#bounds.runningOfOne) continue;
      const run = waiting.values().find(({ key }) => !this.#running.has(key));
      if (run !== undefined) return { client, run };
    }
    return undefined;
  }

  async #run({ client, run }: Turn<Result>): Promise<void> {
    const { key, outcome } = run;
    this.#take(client, run);
    this.#running.add(key);
    this.#runningOf.set(client, (this.#runningOf.get(client) ?? 0) + 1);
    try {
      outcome.resolve(await run.work());
    } catch (error) {
      outcome.reject(error);
    }
    this.#running.delete(key);
    const left = (this.#runningOf.get(client) ?? 0) - 1;
    if (left > 0) this.#runningOf.set(client, left);
    else this.#runningOf.delete(client);
    this.#begin();
  }

  /** Nobody waits for a run that begins. The client whose turn it was comes after all others. */
  #take(turn: string, run: ComingRun<Result>): void {
    this.#coming.delete(run.key);
    this.#waiting -= run.clients.size;
    for (const client of run.clients) {
      const waiting = this.#waitingOf.get(client);
      waiting?.delete(run);
      if (waiting?.size === 0) this.#waitingOf.delete(client);
    }
    const others = this.#waitingOf.get(turn);
    if (others === undefined) return;
    this.#waitingOf.delete(turn);
    this.#waitingOf.set(turn, others);
  }
}
