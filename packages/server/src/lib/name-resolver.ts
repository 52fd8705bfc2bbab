import { inTime } from './within.ts';

export type Resolve = (name: string) => Promise<readonly string[]>;

export interface NameResolverOptions {
  readonly lookUp: Resolve;
  /** The time that a caller waits, for its turn and the answer together, in milliseconds. */
  readonly timeoutMs?: number;
  /** The most domains that are looked up at once. */
  readonly mostAtOnce?: number;
  /** The most callers that wait at once. */
  readonly mostCallers?: number;
}

interface LookUp {
  readonly ended: Promise<void>;
  /** True if nobody waits for it any more. */
  isOverdue: boolean;
}

/**
 * Looks names up, one at a time of each domain that somebody can register: its owner decides how long an answer takes. A
 * look-up cannot be ended, so while one of a domain is overdue, its other names fail at once.
 */
export class NameResolver {
  readonly #options: Required<NameResolverOptions>;
  readonly #running = new Map<string, LookUp>();
  #callers = 0;

  constructor(options: NameResolverOptions) {
    this.#options = { timeoutMs: 5_000, mostAtOnce: 64, mostCallers: 256, ...options };
  }

  /** All addresses of a name. Throws if they are not found in time. */
  async resolve(name: string): Promise<readonly string[]> {
    const { timeoutMs, mostCallers } = this.#options;
    const caller: Caller = { name, domain: await domainOf(name), hasGone: false };
    if (this.#callers >= mostCallers) throw new Error(BUSY);
    this.#callers += 1;
    try {
      return await inTime(this.#inTurn(caller), timeoutMs);
    } finally {
      caller.hasGone = true;
      if (caller.lookUp !== undefined) caller.lookUp.isOverdue = true;
      this.#callers -= 1;
    }
  }

  async #inTurn(caller: Caller): Promise<readonly string[]> {
    const { lookUp, mostAtOnce } = this.#options;
    const { name, domain } = caller;
    for (;;) {
      const before = this.#running.get(domain);
      if (before === undefined) break;
      if (before.isOverdue) throw new Error(SLOW);
      await before.ended;
      if (caller.hasGone) return [];
    }
    if (this.#running.size >= mostAtOnce) throw new Error(BUSY);
    const found = lookUp(name);
    const ended = found.then(
      () => void this.#running.delete(domain),
      () => void this.#running.delete(domain),
    );
    caller.lookUp = { ended, isOverdue: false };
    this.#running.set(domain, caller.lookUp);
    return found;
  }
}

interface Caller {
  readonly name: string;
  readonly domain: string;
  hasGone: boolean;
  lookUp?: LookUp;
}

const BUSY = 'too many names are being resolved';
const SLOW = 'the name servers of the domain do not answer';

/** The part of a name that its owner registered, below a suffix such as `co.uk` or `github.io`; or the whole name. */
async function domainOf(name: string): Promise<string> {
  const { getDomain } = await import('tldts');
  return getDomain(name, { allowPrivateDomains: true }) ?? name;
}
