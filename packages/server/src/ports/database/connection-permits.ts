/**
 * The use of a connection: a read outside of transactions, an ordinary transaction, or a transaction for which
 * connections are kept.
 */
export type ConnectionUse = 'read' | 'ordinary' | 'kept';

const USES: readonly ConnectionUse[] = ['kept', 'read', 'ordinary'];

/**
 * The number of connections of a large pool that are left to reads, and as many again to transactions that ask for
 * those.
 */
const LEFT = 2;

/**
 * Returns how many connections of a pool of so many are left to reads, and as many again to transactions that ask for
 * those.
 */
function leftOf(connections: number): number {
  return Math.min(LEFT, Math.floor(connections / 3));
}

/** Returns how many connections of a pool of so many ordinary transactions use at most. */
export function ordinaryOf(connections: number): number {
  return connections - 2 * leftOf(connections);
}

interface Waiting {
  readonly since: number;
  readonly serve: () => void;
}

/**
 * Permits to use the connections of a pool. Some are left to reads, and some to transactions that have connections kept;
 * these are served first. The others are served in the order of their calls, as far as they leave enough.
 */
export class ConnectionPermits {
  readonly #all: number;
  readonly #left: number;
  readonly #held = { read: 0, ordinary: 0, kept: 0 };
  readonly #waiting = {
    read: new Set<Waiting>(),
    ordinary: new Set<Waiting>(),
    kept: new Set<Waiting>(),
  };
  #calls = 0;

  constructor(connections: number) {
    this.#all = connections;
    this.#left = leftOf(connections);
  }

  /** Resolves with a permit, which its disposal returns, or with undefined if none was free in time. Never rejects. */
  async acquire(use: ConnectionUse, timeoutMs: number): Promise<Disposable | undefined> {
    if (this.#isFree(use)) this.#held[use] += 1;
    else if (!(await this.#wait(use, timeoutMs))) return undefined;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(use);
        isHeld = false;
      },
    };
  }

  #isFree(use: ConnectionUse): boolean {
    const { read, ordinary, kept } = this.#held;
    const butLeft = this.#all - this.#left;
    if (read + ordinary + kept >= this.#all) return false;
    switch (use) {
      case 'read':
        return read + ordinary < butLeft;
      case 'ordinary':
        return (
          read + ordinary < butLeft && ordinary + kept < butLeft && ordinary < ordinaryOf(this.#all)
        );
      case 'kept':
        return ordinary + kept < butLeft;
    }
  }

  #wait(use: ConnectionUse, timeoutMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (isServed: boolean) => {
      this.#waiting[use].delete(waiting);
      clearTimeout(timer);
      resolve(isServed);
    };
    const waiting = { since: (this.#calls += 1), serve: () => end(true) };
    const timer = setTimeout(() => end(false), Math.max(0, timeoutMs));
    this.#waiting[use].add(waiting);
    return promise;
  }

  #release(use: ConnectionUse): void {
    this.#held[use] -= 1;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#held[next.use] += 1;
      next.first.serve();
    }
  }

  /** Returns who is served next, if anybody can be. */
  #next(): { readonly use: ConnectionUse; readonly first: Waiting } | undefined {
    let next: { readonly use: ConnectionUse; readonly first: Waiting } | undefined;
    for (const use of USES) {
      const [first] = this.#waiting[use];
      if (first === undefined || !this.#isFree(use)) continue;
      if (use === 'kept') return { use, first };
      if (next === undefined || first.since < next.first.since) next = { use, first };
    }
    return next;
  }
}
