import { expect, test } from 'bun:test';
import { formatId, type Id, IDS_PER_SECOND, ServerError } from '@hearth/protocol';
import fc from 'fast-check';
import { type FakeClock, fakeClock } from '@hearth/testing/fake-clock';
import { type HistoryDatabase, historyDatabase } from '@hearth/testing/instances/history-database';
import { runs } from '@hearth/testing/runs';
import type { Database } from '../../../ports/database/database.ts';
import { sqliteDatabase } from '../../../engines/databases.ts';
import { openSharedIdentity, type SharedIdentity } from './open-shared-identity.ts';

const RUNS = runs(20);

const PROCESSES = 3;
const DAY_MS = 86_400_000;

type Command =
  | { readonly type: 'ask'; readonly counts: readonly number[] }
  | { readonly type: 'lease'; readonly process: number }
  | { readonly type: 'follow'; readonly process: number; readonly other: number }
  | { readonly type: 'advance'; readonly ms: number }
  | { readonly type: 'setClock'; readonly process: number; readonly byMs: number }
  | { readonly type: 'breakDatabase'; readonly isBroken: boolean }
  | { readonly type: 'restart'; readonly process: number };

const anyProcess = fc.nat({ max: PROCESSES - 1 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('ask' as const),
      counts: fc.array(fc.oneof(fc.nat({ max: 20 }), fc.constantFrom(0, 1_023, 1_500)), {
        minLength: PROCESSES,
        maxLength: PROCESSES,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('lease' as const), process: anyProcess }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('follow' as const),
      process: anyProcess,
      other: anyProcess,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('advance' as const), ms: fc.nat({ max: 7_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('setClock' as const),
      process: anyProcess,
      byMs: fc.oneof(
        fc.integer({ min: -1_500, max: 1_500 }),
        fc.integer({ min: -DAY_MS, max: DAY_MS }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('breakDatabase' as const), isBroken: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('restart' as const), process: anyProcess }),
  },
);

interface Process {
  readonly database: Database;
  readonly clock: FakeClock;
  identity: SharedIdentity;
  /** The identifiers that the present source returned, in order. */
  given: Id[];
}

/** The processes of an instance, each with its own clock and connection. */
class Subject {
  readonly #file: HistoryDatabase;
  readonly #processes: readonly Process[];
  readonly #all: Id[] = [];
  #isBroken = false;

  private constructor(file: HistoryDatabase, processes: readonly Process[]) {
    this.#file = file;
    this.#processes = processes;
  }

  static async open(resources: AsyncDisposableStack): Promise<Subject> {
    const file = resources.use(await historyDatabase());
    const processes: Process[] = [];
    for (let i = 0; i < PROCESSES; i += 1) {
      // The first one is the one that a test can break.
      const database = i === 0 ? file : resources.use(await sqliteDatabase(file.path));
      const clock = fakeClock();
      const identity = await openSharedIdentity(database, clock);
      processes.push({ database, clock, identity, given: [] });
    }
    return new Subject(file, processes);
  }

  async run(next: Command): Promise<void> {
    switch (next.type) {
      case 'ask':
        await Promise.all(this.#processes.map((each, i) => this.#ask(each, next.counts[i] ?? 0)));
        break;
      case 'lease':
        await this.#lease(this.#processes[next.process]);
        break;
      case 'follow':
        await this.#follow(this.#processes[next.process], this.#processes[next.other]);
        break;
      case 'advance':
        for (const { clock } of this.#processes) clock.advance(next.ms);
        break;
      case 'setClock':
        this.#setClock(this.#processes[next.process]?.clock, next.byMs);
        break;
      case 'breakDatabase':
        this.#break(next.isBroken);
        break;
      case 'restart':
        await this.#restart(this.#processes[next.process]);
        break;
    }
  }

  #expectUnique(): void {
    const positions = this.#all.map((id) => BigInt(id));
    expect(new Set(positions).size).toBe(positions.length);
  }

  async #ask(process: Process, count: number): Promise<void> {
    const { identity, given } = process;
    const asked = Array.from({ length: count }, async () => {
      await identity.ids.nextFor((id) => void given.push(id));
    });
    const answers = await Promise.allSettled(asked);
    for (const answer of answers) if (answer.status === 'rejected') this.#excuse(answer.reason);
    expect(given.every((id, i) => i === 0 || BigInt(id) > BigInt(given[i - 1] ?? id))).toBe(true);
  }

  /** As a message follows the last one of its channel, whichever process created that. */
  async #follow(process: Process | undefined, other: Process | undefined): Promise<void> {
    const last = other?.given.at(-1);
    if (process === undefined || last === undefined) return;
    try {
      const id = await process.identity.ids.after(last);
      expect(BigInt(id)).toBeGreaterThan(BigInt(last));
      expect(BigInt(id)).toBeGreaterThan(BigInt(process.given.at(-1) ?? 0));
      process.given.push(id);
    } catch (error) {
      this.#excuse(error);
    }
  }

  async #lease(process: Process | undefined): Promise<void> {
    if (process === undefined) return;
    const { instanceId, leaseIds } = process.identity;
    try {
      const { first, end, step } = await leaseIds();
      for (const position of [first, end - step]) {
        const seconds = Math.floor(position / IDS_PER_SECOND);
        this.#all.push(formatId({ seconds, instanceId, sequence: position % IDS_PER_SECOND }));
      }
    } catch (error) {
      this.#excuse(error);
    }
  }

  /** Nothing here borrows 60 seconds, whatever the clocks say, so only the database may refuse. */
  #excuse(error: unknown): void {
    expect(error).not.toBeInstanceOf(ServerError);
    expect(this.#isBroken).toBe(true);
  }

  #setClock(clock: FakeClock | undefined, byMs: number): void {
    clock?.setUnixMs(Math.max(0, clock.unixMs() + byMs));
  }

  #break(isBroken: boolean): void {
    this.#isBroken = isBroken;
    this.#file.setBefore(async () => {
      if (isBroken) throw new Error('the database of the test is broken');
    });
  }

  async #restart(process: Process | undefined): Promise<void> {
    if (process === undefined) return;
    this.#break(false);
    const { instanceId, instanceKey } = process.identity;
    process.identity = await openSharedIdentity(process.database, process.clock);
    expect(process.identity).toMatchObject({ instanceId, instanceKey });
    this.#collect(process);
  }

  #collect(process: Process): void {
    this.#all.push(...process.given);
    process.given = [];
  }

  end(): void {
    for (const process of this.#processes) this.#collect(process);
    this.#expectUnique();
  }
}

test(
  '[ID4][ID6][ID7][ID8] identifiers of several processes never repeat, and those of each rise, whatever happens to clocks, processes and the database',
  async () => {
    const property = fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
      await using resources = new AsyncDisposableStack();
      const subject = await Subject.open(resources);
      for (const next of commands) await subject.run(next);
      subject.end();
    });
    await fc.assert(property, { numRuns: RUNS });
  },
  RUNS * 3_000,
);
