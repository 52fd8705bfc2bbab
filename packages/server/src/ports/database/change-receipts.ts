import { randomBytes } from 'node:crypto';
import { within } from '../../lib/within.ts';
import type { KeptConnection } from './kept-connection.ts';
import { LOCKS } from './postgres-locks.ts';

/**
 * The longest time in milliseconds that a change waits for the other processes. Then none of them relies on what it
 * remembers.
 */
const MOST_WAIT_MS = 1_000;

/** The channels for receipts begin with this. Each process has its own. */
const CHANNEL = 'hearth_receipts_';

const NAME_BYTES = 8;

/** The largest number of changes of a process in one receipt: PostgreSQL refuses 8,000 bytes. */
const MOST_NUMBERS = 500;

/**
 * Selects the other processes that listen, without those whose connection has asked nothing for a second: they rely on nothing that
 * they remember. They hear of the change before their next check is answered.
 */
const OTHERS = `select pid from pg_locks left join pg_stat_activity using (pid)
  where locktype = 'advisory' and (classid, objid) = (${LOCKS.listening}) and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
    and pid <> pg_backend_pid()
    and coalesce(query_start > clock_timestamp() - interval '${MOST_WAIT_MS} milliseconds', true)`;

const SEND = `select pg_notify(channel, pg_backend_pid() || ' ' || numbers)
  from unnest($1::text[], $2::text[]) as receipts (channel, numbers)`;

/** The process that wants to know when its change is known, and the number of the change. */
export interface ReceiptOrder {
  readonly by: string;
  readonly number: number;
}

/** Changes that are announced. */
interface Wait {
  /** The ids of the connections that know them. */
  readonly heard: Set<number>;
  /** The others that have to learn of them; undefined while that is not known. */
  missing: Set<number> | undefined;
  readonly end: () => void;
  readonly ended: Promise<void>;
}

/** Lets a process wait until the others know its changes, and sends them receipts for theirs. */
export class ChangeReceipts {
  /** The channel on which receipts for this process arrive. */
  readonly channel: string;
  readonly #name = randomBytes(NAME_BYTES).toString('hex');
  readonly #query: KeptConnection['query'];
  readonly #waits = new Map<number, Wait>();
  readonly #owed = new Map<string, number[]>();
  #lastNumber = 0;
  #isSending = false;
  #asking: Promise<readonly number[]> | undefined;
  #askingNext: Promise<readonly number[]> | undefined;

  /** `query` runs queries on the connection that listens for changes. */
  constructor(query: KeptConnection['query']) {
    this.#query = query;
    this.channel = CHANNEL + this.#name;
  }

  /** Begins to collect receipts for changes, until `forget`. Returns what their announcement has to say. */
  order(): ReceiptOrder {
    this.#lastNumber += 1;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#waits.set(this.#lastNumber, { heard: new Set(), missing: undefined, end, ended });
    return { by: this.#name, number: this.#lastNumber };
  }

  /** Resolves when every process knows committed changes or cannot rely on what it remembers. */
  async all(number: number): Promise<void> {
    const wait = this.#waits.get(number);
    if (wait === undefined) return;
    // Without an answer to who listens, only time helps.
    this.#others().then(
      (others) => {
        wait.missing = new Set(others.filter((pid) => !wait.heard.has(pid)));
        if (wait.missing.size === 0) wait.end();
      },
      () => {},
    );
    await within(wait.ended, MOST_WAIT_MS);
  }

  /** Collects no more receipts for changes. */
  forget(number: number): void {
    this.#waits.delete(number);
  }

  /** Notes a receipt that has arrived. */
  take(receipt: string): void {
    const [pid = NaN, ...numbers] = receipt.split(' ').map(Number);
    for (const number of numbers) {
      const wait = this.#waits.get(number);
      wait?.heard.add(pid);
      wait?.missing?.delete(pid);
      if (wait?.missing?.size === 0) wait.end();
    }
  }

  /** Sends a receipt, together with others that are due. */
  send({ by, number }: ReceiptOrder): void {
    if (by === this.#name) return;
    this.#owed.getOrInsertComputed(by, () => []).push(number);
    if (!this.#isSending) void this.#send();
  }

  /** Waits for nobody any more. */
  end(): void {
    for (const { end } of this.#waits.values()) end();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#owed.size > 0) {
      const channels = [...this.#owed.keys()].map((name) => CHANNEL + name);
      const numbers = Array.from(this.#owed, ([name, owed]) => {
        const sent = owed.splice(0, MOST_NUMBERS);
        if (owed.length === 0) this.#owed.delete(name);
        return sent.join(' ');
      });
      // If the connection is lost, this process does not rely on what it remembers.
      await this.#query(SEND, [channels, numbers]).catch(() => {});
    }
    this.#isSending = false;
  }

  /** Finds out who else listens. Callers at the same time share a question, but none that began before they came. */
  #others(): Promise<readonly number[]> {
    this.#askingNext ??= this.#askNext();
    return this.#askingNext;
  }

  async #askNext(): Promise<readonly number[]> {
    await this.#asking?.catch(() => {});
    this.#askingNext = undefined;
    this.#asking = this.#ask();
    return await this.#asking;
  }

  async #ask(): Promise<readonly number[]> {
    // Guarantee: this is the column.
    const rows = (await this.#query(OTHERS)) as readonly { readonly pid: number }[];
    return rows.map(({ pid }) => pid);
  }
}
