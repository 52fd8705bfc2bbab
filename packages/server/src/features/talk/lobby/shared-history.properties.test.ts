import { type Id, type LobbyMessage, parseId } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  idAt,
  type LobbyProcess,
  SharedLobby,
  type Step,
} from '@hearth/testing/ports/shared-lobby';
import { runs } from '@hearth/testing/runs';
import type { HistoryQuery } from './message-history.ts';
import { eraseMessage } from './changes/store.ts';

const RUNS = runs(30);

const PROCESSES = 3;
const DAY_MS = 86_400_000;
const LARGEST_ID = '340282366920938463463374607431768211455';
const ALL: HistoryQuery = { after: undefined, before: undefined, limit: 1_000_000 };

type Command =
  | { readonly type: 'post'; readonly process: number; readonly count: number }
  | { readonly type: 'flush'; readonly processes: readonly number[] }
  | { readonly type: 'list'; readonly process: number; readonly query: QueryCommand }
  | {
      readonly type: 'listMeanwhile';
      readonly process: number;
      readonly query: QueryCommand;
      readonly counts: readonly number[];
    }
  | { readonly type: 'pass'; readonly ms: number }
  | { readonly type: 'remove'; readonly share: number }
  | { readonly type: 'die'; readonly process: number; readonly step: Step }
  | { readonly type: 'outage'; readonly process: number; readonly isAway: boolean }
  | { readonly type: 'otherBusy'; readonly process: number; readonly isBusy: boolean };

interface QueryCommand {
  /** A position in all that was dispatched, and a little beyond it; or the end of all identifiers. */
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

const share = fc.double({ min: 0, max: 1.05, noNaN: true });
const place = fc.option(share, { nil: undefined, freq: 1 });
const query: fc.Arbitrary<QueryCommand> = fc.record({
  after: place,
  before: place,
  limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 100 })),
});
const anyProcess = fc.nat({ max: PROCESSES - 1 });
const few = fc.integer({ min: 1, max: 5 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('post' as const),
      process: fc.nat({ max: PROCESSES }),
      count: fc.oneof(few, fc.constantFrom(64, 65, 1_100)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('flush' as const),
      processes: fc.uniqueArray(anyProcess, { minLength: 1 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ type: fc.constant('list' as const), process: anyProcess, query }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('listMeanwhile' as const),
      process: anyProcess,
      query,
      counts: fc.array(fc.oneof(few, fc.constantFrom(0, 0, 70)), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 1_000, 60_000, DAY_MS / 3, DAY_MS),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('remove' as const), share }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('die' as const),
      process: anyProcess,
      step: fc.constantFrom<Step[]>('read', 'begin', 'drop', 'drop'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('outage' as const),
      process: anyProcess,
      isAway: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('otherBusy' as const),
      process: anyProcess,
      isBusy: fc.boolean(),
    }),
  },
);
const someBounds = fc.record({
  messages: fc.constantFrom(1, 3, 64, 100, 700, 1_000_000),
  days: fc.constantFrom(1, 2, 30),
});

const isBehind = (one: Id, other: Id) => BigInt(one) > BigInt(other);

/** The specification of a history, to run next to the processes that keep it. */
class Model {
  readonly #lobby: SharedLobby;
  readonly #processes: LobbyProcess[] = [];
  readonly #removed = new Set<Id>();

  private constructor(lobby: SharedLobby) {
    this.#lobby = lobby;
  }

  static async open(lobby: SharedLobby): Promise<Model> {
    const model = new Model(lobby);
    for (let i = 0; i < PROCESSES; i += 1) model.#processes.push(await lobby.start());
    return model;
  }

  async run(next: Command): Promise<void> {
    switch (next.type) {
      case 'post':
        // Or at a process that is killed before it can do anything about it.
        this.#lobby.post(this.#processes[next.process], next.count);
        break;
      case 'flush':
        await Promise.all(next.processes.map((index) => this.#flush(index)));
        break;
      case 'list':
        await this.#list(this.#at(next.process), this.#queryOf(next.query));
        break;
      case 'listMeanwhile':
        await this.#listMeanwhile(next);
        break;
      case 'pass':
        this.#lobby.clock.halt(next.ms);
        break;
      case 'remove':
        await this.#remove(this.#lobby.dispatched[this.#placeOf(next.share)]?.id);
        break;
      case 'die':
        await this.#die(next.process, next.step);
        break;
      case 'outage':
        this.#at(next.process).before = next.isAway ? failAt('begin', 'reader') : async () => {};
        break;
      case 'otherBusy':
        this.#at(next.process).isOtherBusy = next.isBusy;
        break;
    }
  }

  /** Checks what is listed and written in the end, when nothing fails any more. */
  async end(): Promise<void> {
    for (const each of this.#processes) {
      each.before = async () => {};
      each.isOtherBusy = false;
    }
    for (const each of this.#processes) await this.#list(each, ALL);
    await this.#flush(0);
    expect(this.#lobby.journal.contents()).toEqual([]);
    for (const each of this.#processes) await this.#list(each, ALL);
    for (const each of this.#processes) await each.history[Symbol.asyncDispose]();
  }

  /** The messages that are kept, the oldest first. */
  #kept(): LobbyMessage[] {
    const { dispatched, clock, bounds } = this.#lobby;
    return dispatched
      .slice(Math.max(0, dispatched.length - bounds.messages))
      .filter(({ created_at }) => created_at >= clock.unixMs() - bounds.days * DAY_MS)
      .filter(({ id }) => !this.#removed.has(id));
  }

  async #list(listing: LobbyProcess, asked: HistoryQuery): Promise<void> {
    const within = this.#kept().filter(isIn(asked));
    const expected = isFromOldest(asked)
      ? within.slice(0, asked.limit)
      : within.slice(-asked.limit);
    const found = await listing.history.list(asked).catch((error: unknown) => error);
    if (isAway(found)) return;
    expect(found).toEqual(expected.toReversed());
  }

  /** Lists while others dispatch, write and delete. */
  async #listMeanwhile(next: Extract<Command, { type: 'listMeanwhile' }>): Promise<void> {
    const listing = this.#at(next.process);
    const asked = this.#queryOf(next.query);
    const keptBefore = this.#kept();
    const countBefore = this.#lobby.dispatched.length;
    const { before } = listing;
    const turns = [...next.counts.entries()];
    const flushings: Promise<void>[] = [];
    listing.before = async (step) => {
      await before(step);
      const [turn, count] =
        (step === 'read' || step === 'reader' ? turns.shift() : undefined) ?? [];
      if (turn === undefined || count === undefined || count === 0) return;
      const index = (next.process + 1 + (turn % 2)) % PROCESSES;
      this.#lobby.post(this.#processes[index], count);
      // Some of each kind of interleaving: written before the list continues, or while it does.
      const flushing = this.#flush(index);
      flushings.push(flushing);
      if (count !== 2) await flushing;
    };
    const found = await listing.history.list(asked).catch((error: unknown) => error);
    listing.before = before;
    await Promise.all(flushings);
    if (isAway(found)) return;
    // Guarantee: what a list resolves with.
    const messages = (found as readonly LobbyMessage[]).toReversed();
    const later = this.#lobby.dispatched.slice(countBefore);
    const possible = [...keptBefore, ...later].filter(isIn(asked));
    // In order, none twice, and none that was already beyond the limit.
    expect(messages).toEqual(possible.filter((message) => isOneOf(messages, message)));
    expect(messages.length).toBeLessThanOrEqual(asked.limit);
    const [first, last] = [messages[0]?.id, messages.at(-1)?.id];
    const keptAfter = this.#kept();
    const missing = keptBefore
      .filter(isIn(asked))
      .filter((message) => keptAfter.includes(message) && !isOneOf(messages, message))
      .filter(({ id }) => {
        if (messages.length < asked.limit || first === undefined || last === undefined) return true;
        return isFromOldest(asked) ? isBehind(last, id) : isBehind(id, first);
      });
    expect(missing).toEqual([]);
  }

  async #flush(index: number): Promise<void> {
    const flushing = this.#at(index);
    if (flushing.isOtherBusy) return;
    const failure = await flushing.history.flush().catch((error: unknown) => error);
    if (failure !== undefined) expect(isAway(failure)).toBe(true);
  }

  async #remove(id: Id | undefined): Promise<void> {
    if (id === undefined) return;
    const { database } = this.#lobby;
    if (await database.transaction(({ sql: writer }) => eraseMessage(writer, id)))
      this.#removed.add(id);
  }

  async #die(index: number, step: Step): Promise<void> {
    const dying = this.#at(index);
    dying.before = failAt(step);
    await this.#flush(index);
    await dying.kill();
    this.#processes[index] = await this.#lobby.start();
  }

  #at(index: number): LobbyProcess {
    const found = this.#processes[index];
    if (found === undefined) throw new RangeError('there are three');
    return found;
  }

  #placeOf(share: number): number {
    return Math.floor(share * this.#lobby.dispatched.length);
  }

  #queryOf({ after, before, limit }: QueryCommand): HistoryQuery {
    return { after: this.#idOf(after), before: this.#idOf(before), limit };
  }

  #idOf(given: number | undefined): Id | undefined {
    if (given === undefined) return undefined;
    if (given > 1) return parseId(LARGEST_ID);
    return idAt(Math.floor(given * (2 * this.#lobby.dispatched.length + 4)));
  }
}

const OUTAGE = 'the test is in the way';

function failAt(...steps: readonly Step[]): LobbyProcess['before'] {
  return async (step) => {
    if (steps.includes(step)) throw new Error(OUTAGE);
  };
}

function isAway(found: unknown): boolean {
  return found instanceof Error && found.message === OUTAGE;
}

function isFromOldest({ after, before }: HistoryQuery): boolean {
  return after !== undefined && before === undefined;
}

function isIn({ after, before }: HistoryQuery) {
  return ({ id }: LobbyMessage) =>
    (after === undefined || isBehind(id, after)) && (before === undefined || isBehind(before, id));
}

function isOneOf(messages: readonly LobbyMessage[], { id }: LobbyMessage): boolean {
  return messages.some((message) => message.id === id);
}

test(
  '[LB1][LB2][LB3][LB4][LB5][LB6][LB10][LB12] every list of every process has what was dispatched by then, whatever happened to any of them',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        someBounds,
        fc.array(command, { maxLength: 40, size: 'max' }),
        async (most, commands) => {
          await using lobby = await SharedLobby.open(most);
          const model = await Model.open(lobby);
          for (const next of commands) await model.run(next);
          await model.end();
        },
      ),
      { numRuns: RUNS },
    );
  },
  RUNS * 3_000,
);
