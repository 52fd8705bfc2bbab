import { formatId, parseId, type Id, type LobbyMessage } from '@hearth/protocol';
import { describe, expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { recordChanges } from '@hearth/testing/ports/record-changes';
import { type FakeClock, fakeClock } from '@hearth/testing/fake-clock';
import { type HistoryDatabase, historyDatabase } from '@hearth/testing/instances/history-database';
import { until } from '@hearth/testing/until';
import { runs } from '@hearth/testing/runs';
import type { HistoryBounds } from '../../../config/config.ts';
import { jsonLogger } from '../../../log/logger.ts';
import { sqliteDatabase } from '../../../engines/databases.ts';
import { type History, openHistory } from './history.ts';
import type { HistoryQuery } from './message-history.ts';
import { eraseMessage } from './changes/store.ts';

const RUNS = runs(150);

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const INSTANCE_ID = 7;
const LARGEST_ID = '340282366920938463463374607431768211455';
/** Bounds that nothing here reaches. */
const ROOM: HistoryBounds = { messages: 1_000_000, days: 36_500 };
const ALL: HistoryQuery = { after: undefined, before: undefined, limit: 1_000_000 };

interface LogEntry {
  readonly level: number;
  readonly msg: string;
  readonly messages?: number;
}

const isBehind = (one: Id, other: Id) => BigInt(one) > BigInt(other);

/** Identifiers of successive places, eight a second, so that they have several lengths. */
function idAt(place: number, instanceId = INSTANCE_ID): Id {
  return formatId({ seconds: Math.floor(place / 8), instanceId, sequence: place % 8 });
}

/** A history in its own database, with what was appended to it. */
class Subject implements AsyncDisposable {
  readonly clock: FakeClock = fakeClock();
  readonly logged: LogEntry[] = [];
  /** Everything that was appended, the oldest first. Every second place is left free. */
  readonly appended: LobbyMessage[] = [];
  isRefused = false;
  readonly #resources = new AsyncDisposableStack();
  readonly #log = jsonLogger('info', (line) => this.logged.push(JSON.parse(line)));

  readonly database: HistoryDatabase;
  readonly bounds: HistoryBounds;

  private constructor(database: HistoryDatabase, bounds: HistoryBounds) {
    this.database = database;
    this.bounds = bounds;
    this.#resources.use(database);
  }

  static async open(bounds = ROOM): Promise<OpenSubject> {
    const subject = new Subject(await historyDatabase(), bounds);
    return Object.assign(subject, { history: await subject.reopened(bounds) });
  }

  /** Another history of the same database. */
  async reopened(bounds = this.bounds): Promise<History> {
    const { database, clock } = this;
    return openHistory({ database, clock, log: this.#log, bounds });
  }

  /** Makes the disk refuse every write, or accept them again. */
  refuse(isRefused = true): void {
    this.isRefused = isRefused;
    this.database.setBefore(async () => {
      if (isRefused) throw new Error('the disk is full');
    });
  }

  /** The next message. */
  make(content = `message ${this.appended.length}`): LobbyMessage {
    const id = idAt(2 * this.appended.length);
    const message = { id, author: 'ada', content, created_at: this.clock.unixMs() };
    this.appended.push(message);
    return message;
  }

  /** Lists what is on the disk, as another process sees it. */
  async observer(): Promise<() => Promise<readonly LobbyMessage[]>> {
    const database = this.#resources.use(await sqliteDatabase(this.database.path));
    const log = jsonLogger('silent', () => {});
    const history = await openHistory({ database, clock: fakeClock(), log, bounds: ROOM });
    this.#resources.use(history);
    return async () => (await history.list(ALL)).toReversed();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

type OpenSubject = Subject & { history: History };

function append(subject: OpenSubject, count: number, content?: string): void {
  for (let i = 0; i < count; i += 1) subject.history.append(subject.make(content));
}

/** Resolves with whether the waiting messages were written. */
function flushed(history: History): Promise<boolean> {
  return history.flush().then(
    () => true,
    () => false,
  );
}

test('[LB10] a message that was never written takes the place of none that was', async () => {
  const bounds = { messages: 300, days: 36_500 };
  await using subject = await Subject.open(bounds);
  append(subject, 300);
  await subject.history.flush();
  let writes = 0;
  subject.database.setBefore(async () => {
    writes += 1;
    if (writes > 1) throw new Error('the process was killed');
  });
  // More than are written at once.
  append(subject, 5_000);
  expect(await flushed(subject.history)).toBe(false);
  const kept = await (await subject.reopened(bounds)).list(ALL);
  const end = subject.appended.findIndex(({ id }) => id === kept[0]?.id) + 1;
  expect(end).toBeWithin(301, 5_300);
  expect(kept.toReversed()).toEqual(subject.appended.slice(end - 300, end));
});

interface Spot {
  /** A position in all that was appended, and a little beyond it; or an end of all identifiers. */
  readonly share: number | '0' | typeof LARGEST_ID;
  readonly instanceId: number;
}

type Command =
  | { readonly type: 'append'; readonly count: number }
  | { readonly type: 'flush' }
  | { readonly type: 'list' | 'listMeanwhile'; readonly query: QueryCommand }
  | { readonly type: 'pass'; readonly ms: number }
  | { readonly type: 'remove'; readonly share: number }
  | { readonly type: 'refuse'; readonly isRefused: boolean }
  | { readonly type: 'reopen' };

interface QueryCommand {
  readonly after: Spot | undefined;
  readonly before: Spot | undefined;
  readonly limit: number;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const spot: fc.Arbitrary<Spot | undefined> = fc.option(
  fc.record({
    share: fc.oneof(
      { weight: 8, arbitrary: share },
      { weight: 1, arbitrary: fc.constantFrom('0' as const, LARGEST_ID) },
    ),
    instanceId: fc.constantFrom(INSTANCE_ID, INSTANCE_ID, INSTANCE_ID - 1, INSTANCE_ID + 1),
  }),
  { nil: undefined },
);
const query: fc.Arbitrary<QueryCommand> = fc.record({
  after: spot,
  before: spot,
  limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 100 })),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('append' as const),
      count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(64, 65, 200, 600)),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ type: 'flush' as const }) },
  { weight: 12, arbitrary: fc.record({ type: fc.constant('list' as const), query }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('listMeanwhile' as const), query }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 1_000, MINUTE_MS, DAY_MS / 3, DAY_MS),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('remove' as const), share }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('refuse' as const), isRefused: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.constant({ type: 'reopen' as const }) },
);
const someBounds = fc.record({
  messages: fc.constantFrom(0, 1, 3, 10, 64, 100, 700, 1_000_000),
  days: fc.constantFrom(1, 2, 30),
});

/** The specification of a history, to run next to the history itself. */
class Model {
  readonly #removed = new Set<Id>();

  readonly subject: OpenSubject;

  constructor(subject: OpenSubject) {
    this.subject = subject;
  }

  async run(next: Command): Promise<void> {
    switch (next.type) {
      case 'append':
        append(this.subject, next.count);
        break;
      case 'flush':
        expect((await flushed(this.subject.history)) || this.subject.isRefused).toBe(true);
        break;
      case 'list':
        await this.#list(this.#queryOf(next.query));
        break;
      case 'listMeanwhile':
        await this.#listMeanwhile(this.#queryOf(next.query));
        break;
      case 'pass':
        this.subject.clock.halt(next.ms);
        break;
      case 'remove':
        await this.#remove(Math.floor(next.share * this.subject.appended.length));
        break;
      case 'refuse':
        this.subject.refuse(next.isRefused);
        break;
      case 'reopen':
        await this.reopen();
        break;
    }
  }

  /** A clean stop and the next start. */
  async reopen(): Promise<void> {
    const { subject } = this;
    subject.refuse(false);
    await subject.history[Symbol.asyncDispose]();
    subject.history = await subject.reopened();
  }

  /** The messages that are kept, the oldest first. */
  kept(): LobbyMessage[] {
    const { appended, clock, bounds: most } = this.subject;
    return appended
      .slice(Math.max(0, appended.length - most.messages))
      .filter(({ created_at }) => created_at >= clock.unixMs() - most.days * DAY_MS)
      .filter(({ id }) => !this.#removed.has(id));
  }

  expected({ after, before, limit }: HistoryQuery): LobbyMessage[] {
    const within = this.kept().filter(
      ({ id }) =>
        (after === undefined || isBehind(id, after)) &&
        (before === undefined || isBehind(before, id)),
    );
    const isFromOldest = after !== undefined && before === undefined;
    return (isFromOldest ? within.slice(0, limit) : within.slice(-limit)).toReversed();
  }

  async #list(asked: HistoryQuery): Promise<void> {
    expect(await this.subject.history.list(asked)).toEqual(this.expected(asked));
  }

  /** Lists, and lets waiting messages be written and more arrive before the answer is there. */
  async #listMeanwhile(asked: HistoryQuery): Promise<void> {
    const { history, bounds: most } = this.subject;
    const expected = this.expected(asked);
    const listed = history.list(asked);
    const written = flushed(history);
    // More would push the requested messages out of what is kept.
    if (most.messages >= ROOM.messages) append(this.subject, 3);
    expect(await listed).toEqual(expected);
    await written;
  }

  async #remove(index: number): Promise<void> {
    const { history, database, appended } = this.subject;
    const id = appended[index]?.id;
    if (id === undefined || !(await flushed(history))) return;
    const isKept = this.kept().some((message) => message.id === id);
    const wasThere = await database
      .transaction(({ sql: writer }) => eraseMessage(writer, id))
      .catch(() => undefined);
    if (wasThere === undefined) return;
    // Messages beyond the limit may still exist.
    if (isKept || this.#removed.has(id)) expect(wasThere).toBe(isKept);
    this.#removed.add(id);
  }

  #queryOf({ after, before, limit }: QueryCommand): HistoryQuery {
    return { after: this.#idOf(after), before: this.#idOf(before), limit };
  }

  #idOf(given: Spot | undefined): Id | undefined {
    if (given === undefined) return undefined;
    if (typeof given.share === 'string') return parseId(given.share);
    const places = 2 * this.subject.appended.length + 4;
    return idAt(Math.floor(given.share * places), given.instanceId);
  }
}

test(
  '[LB1][LB2][LB3][LB4][LB5][LB6][LB10] every list has what the history contains by then, whatever happened before',
  async () => {
    await fc.assert(
      fc.asyncProperty(someBounds, fc.array(command, { maxLength: 40 }), async (most, commands) => {
        await using subject = await Subject.open(most);
        const model = new Model(subject);
        for (const next of commands) await model.run(next);
        await model.reopen();
        expect(await subject.history.list(ALL)).toEqual(model.expected(ALL));
        await subject.history[Symbol.asyncDispose]();
      }),
      { numRuns: RUNS },
    );
  },
  RUNS * 1_000,
);

test.each([
  [{ after: undefined, before: undefined, limit: 4 }],
  [{ after: undefined, before: undefined, limit: 100 }],
  [{ after: '0' as const, before: undefined, limit: 4 }],
  [{ after: '0' as const, before: undefined, limit: 100 }],
  [{ after: '0' as const, before: LARGEST_ID, limit: 100 }],
])('[LB5] a message that is written while a list is read is in it once: %j', async (asked) => {
  await using subject = await Subject.open();
  await using history = subject.history;
  append(subject, 3);
  await history.flush();
  append(subject, 3);
  const idOf = (id: string | undefined) => (id === undefined ? undefined : parseId(id));
  const given = { ...asked, after: idOf(asked.after), before: idOf(asked.before) };
  const expected = new Model(subject).expected(given);
  let isFirst = true;
  subject.database.setBeforeReading(async () => {
    if (!isFirst) return;
    isFirst = false;
    append(subject, 2);
    await history.flush();
  });
  expect(await history.list(given)).toEqual(expected);
});

describe('[LB6] a message beyond', () => {
  const listed = async ({ history }: { readonly history: History }, wanted = ALL) =>
    (await history.list(wanted)).map(({ content }) => Number(content.split(' ')[1])).toReversed();

  test('the number of messages is not returned, from memory or from the disk, and does not come back', async () => {
    await using subject = await Subject.open({ messages: 3, days: 30 });
    await using history = subject.history;
    append(subject, 5);
    expect(await listed(subject)).toEqual([2, 3, 4]);
    await history.flush();
    expect(await listed(subject)).toEqual([2, 3, 4]);
    await subject.database.transaction(({ sql: writer }) => eraseMessage(writer, idAt(2 * 3)));
    expect(await listed(subject)).toEqual([2, 4]);
    await using again = await subject.reopened();
    expect(await listed({ history: again })).toEqual([2, 4]);
    append(subject, 1);
    expect(await listed(subject)).toEqual([4, 5]);
  });

  test.each([['waiting'], ['written']])(
    'the days is not answered: a message that is %s',
    async (how) => {
      await using subject = await Subject.open({ messages: 100, days: 30 });
      await using history = subject.history;
      append(subject, 1);
      subject.clock.halt(1);
      append(subject, 1);
      if (how === 'written') await history.flush();
      subject.clock.halt(30 * DAY_MS - 1);
      expect(await listed(subject)).toEqual([0, 1]);
      subject.clock.halt(1);
      expect(await listed(subject)).toEqual([1]);
      subject.clock.halt(1);
      expect(await listed(subject)).toEqual([]);
    },
  );

  test('a history of zero messages is deleted', async () => {
    await using subject = await Subject.open();
    append(subject, 5);
    await subject.history[Symbol.asyncDispose]();
    await using history = await subject.reopened({ messages: 0, days: 30 });
    history.append(subject.make());
    expect(await history.list(ALL)).toEqual([]);
    const onDisk = await subject.observer();
    expect(await onDisk()).toHaveLength(5);
    subject.clock.halt(MINUTE_MS);
    await until(async () => (await onDisk()).length === 0);
  });
});

describe('[LB10] a message', () => {
  test('a message is written to the disk automatically, together with others of the same moment', async () => {
    await using subject = await Subject.open();
    await using _history = subject.history;
    const onDisk = await subject.observer();
    append(subject, 300);
    await until(async () => (await onDisk()).length > 0);
    expect(await onDisk()).toEqual(subject.appended);
    expect(subject.database.begun).toBe(1);
  });

  test('a message is on the disk only together with all messages before it, at any time', async () => {
    await using subject = await Subject.open();
    await using history = subject.history;
    const onDisk = await subject.observer();
    const sizes: number[] = [];
    subject.database.setBefore(async () => {
      const written = await onDisk();
      expect(written).toEqual(subject.appended.slice(0, written.length));
      sizes.push(written.length);
      if (sizes.length < 5) append(subject, 10);
    });
    append(subject, 10_000);
    await history.flush();
    expect(await onDisk()).toEqual(subject.appended);
    // This is how many groups there were.
    expect(new Set(sizes).size).toBeGreaterThan(3);
  });

  test.each([1, 63, 64, 65, 4_096, 4_097, 9_000])(
    'a message is not lost in a clean stop, with %d waiting',
    async (count) => {
      await using subject = await Subject.open();
      append(subject, count);
      await subject.history[Symbol.asyncDispose]();
      expect(await (await subject.observer())()).toEqual(subject.appended);
    },
  );

  test('a message is not lost in a clean stop while others are being written', async () => {
    await using subject = await Subject.open();
    append(subject, 10);
    const { promise, resolve: release } = Promise.withResolvers<void>();
    subject.database.setBefore(() => promise);
    const written = subject.history.flush();
    append(subject, 10);
    const stopped = subject.history[Symbol.asyncDispose]();
    release();
    await Promise.all([written, stopped]);
    expect(await (await subject.observer())()).toEqual(subject.appended);
  });

  test('that a stop cannot write is logged', async () => {
    await using subject = await Subject.open();
    subject.refuse();
    append(subject, 3);
    await subject.history[Symbol.asyncDispose]();
    expect(subject.logged).toMatchObject([
      { level: 50, msg: 'messages cannot be written to the history' },
      { level: 50, msg: 'the end of the history is lost', messages: 3 },
    ]);
  });
});

test('[LB10] messages that do not fit into one write follow at once, however many there are', async () => {
  await using subject = await Subject.open();
  await using _history = subject.history;
  const onDisk = await subject.observer();
  const delays = spyOn(globalThis, 'setTimeout');
  try {
    append(subject, 40, 'x'.repeat(100_000));
    await until(async () => (await onDisk()).length === 40);
    const waits = delays.mock.calls.map(([, delayMs]) => delayMs);
    // Seven groups: the first gathers, and none of the others waits for more to come.
    expect(waits.filter((delayMs) => delayMs === 75)).toHaveLength(1);
    expect(waits.filter((delayMs) => delayMs === 0)).toHaveLength(6);
  } finally {
    delays.mockRestore();
  }
});

describe('[LB11] if the disk refuses', () => {
  const CANNOT = { level: 50, msg: 'messages cannot be written to the history' };
  const AGAIN = { level: 30, msg: 'messages are written to the history again' };
  const LOST = { level: 40, msg: 'a part of the history is lost' };

  test('messages wait, are listed, and are written in order when the disk accepts them, and each change is logged once', async () => {
    await using subject = await Subject.open();
    await using history = subject.history;
    append(subject, 2);
    await history.flush();
    for (const entries of [
      [CANNOT, AGAIN],
      [CANNOT, AGAIN, CANNOT, AGAIN],
    ]) {
      subject.refuse();
      for (let attempt = 0; attempt < 3; attempt += 1) {
        append(subject, 100);
        expect(await flushed(history)).toBe(false);
        expect((await history.list(ALL)).toReversed()).toEqual(subject.appended);
      }
      subject.refuse(false);
      await history.flush();
      expect(subject.logged).toMatchObject(entries);
    }
    expect(await (await subject.observer())()).toEqual(subject.appended);
  });

  test('the history tries again without any request', async () => {
    await using subject = await Subject.open();
    await using _history = subject.history;
    const onDisk = await subject.observer();
    subject.refuse();
    append(subject, 5);
    await until(async () => subject.logged.length > 0);
    subject.refuse(false);
    await until(async () => (await onDisk()).length > 0);
    expect(await onDisk()).toEqual(subject.appended);
    expect(subject.logged).toMatchObject([CANNOT, AGAIN]);
  });

  test('up to 64 MB wait, then the oldest are lost, which is logged', async () => {
    await using subject = await Subject.open();
    await using history = subject.history;
    subject.refuse();
    const million = 'x'.repeat(1_000_000);
    append(subject, 40, million);
    expect(await flushed(history)).toBe(false);
    // Strings of the process have two bytes per character.
    const left = Math.floor((64 * 1024 ** 2) / 2_000_300);
    expect(subject.logged).toMatchObject([CANNOT, { ...LOST, messages: 40 - left }]);
    expect(await flushed(history)).toBe(false);
    expect(subject.logged).toHaveLength(2);
    expect(await history.list(ALL)).toHaveLength(left);
    subject.refuse(false);
    append(subject, 1);
    await history.flush();
    expect(await (await subject.observer())()).toEqual(subject.appended.slice(-left - 1));
  });

  test('[LB6] messages that are no longer kept are not logged as lost', async () => {
    await using subject = await Subject.open({ messages: 3, days: 30 });
    await using history = subject.history;
    subject.refuse();
    append(subject, 10);
    expect(await flushed(history)).toBe(false);
    expect(subject.logged).toMatchObject([CANNOT]);
    subject.refuse(false);
    await history.flush();
    expect((await history.list(ALL)).toReversed()).toEqual(subject.appended.slice(-3));
  });
});

describe('[LB13] a message that is no longer kept', () => {
  /** Each message in its own place on the disk, as if there were little traffic. */
  async function appendApart(subject: OpenSubject, count: number) {
    for (let i = 0; i < count; i += 1) {
      append(subject, 1);
      await subject.history.flush();
    }
  }

  test('a message is deleted in the end, a few at a time, while messages arrive and are listed', async () => {
    await using subject = await Subject.open();
    await appendApart(subject, 300);
    await subject.history[Symbol.asyncDispose]();
    await using history = await subject.reopened({ messages: 10, days: 30 });
    subject.history = history;
    const onDisk = await subject.observer();
    const sizes = [(await onDisk()).length];
    subject.clock.halt(MINUTE_MS);
    await until(async () => {
      await appendApart(subject, 1);
      expect((await history.list(ALL)).toReversed()).toEqual(subject.appended.slice(-10));
      sizes.push((await onDisk()).length);
      return (sizes.at(-1) ?? 0) < 20;
    });
    // This is how many checks there were in between.
    expect(sizes.length).toBeGreaterThan(3);
  });

  test('a message is deleted in the end while messages keep arriving', async () => {
    await using subject = await Subject.open({ messages: 100, days: 30 });
    await using history = subject.history;
    const onDisk = await subject.observer();
    for (let i = 0; i < 20; i += 1) {
      append(subject, 64);
      await history.flush();
    }
    await until(async () => (await onDisk()).length < 1_000);
    subject.clock.halt(MINUTE_MS);
    await until(async () => (await onDisk()).length < 100 + 64);
    expect((await history.list(ALL)).toReversed()).toEqual(subject.appended.slice(-100));
  });

  test('because of its age is deleted in the end, without any message arriving', async () => {
    await using subject = await Subject.open({ messages: 1_000, days: 2 });
    await using _history = subject.history;
    await appendApart(subject, 150);
    subject.clock.halt(DAY_MS);
    await appendApart(subject, 5);
    const onDisk = await subject.observer();
    subject.clock.halt(DAY_MS + 1);
    await until(async () => {
      subject.clock.halt(MINUTE_MS);
      return (await onDisk()).length < 155;
    });
    await until(async () => (await onDisk()).length === 5);
    expect(await onDisk()).toEqual(subject.appended.slice(-5));
  });

  test('a message stays if the disk refuses, which is logged, and is deleted later', async () => {
    await using subject = await Subject.open();
    await appendApart(subject, 30);
    await subject.history[Symbol.asyncDispose]();
    await using _history = await subject.reopened({ messages: 10, days: 30 });
    subject.refuse();
    subject.clock.halt(MINUTE_MS);
    await until(async () => subject.logged.length > 0);
    expect(subject.logged).toMatchObject([{ level: 50, msg: 'old messages could not be deleted' }]);
    subject.refuse(false);
    const onDisk = await subject.observer();
    expect(await onDisk()).toHaveLength(30);
    subject.clock.halt(MINUTE_MS);
    await until(async () => (await onDisk()).length === 10);
  });

  test('a message is deleted when new ones are written: more than arrive, but not many more', async () => {
    await using subject = await Subject.open();
    await appendApart(subject, 150);
    await subject.history[Symbol.asyncDispose]();
    await using history = await subject.reopened({ messages: 10, days: 30 });
    subject.history = history;
    const onDisk = await subject.observer();
    for (let before = 150; before > 10;) {
      await appendApart(subject, 1);
      const { length } = await onDisk();
      expect(length).toBeLessThan(before);
      expect(before - length).toBeLessThanOrEqual(64);
      before = length;
    }
    expect(await onDisk()).toEqual(subject.appended.slice(-10));
  });
});

test('[LB10][LB13] no cache is notified of a change when messages are written or deleted', async () => {
  await using subject = await Subject.open({ messages: 10, days: 30 });
  await using history = subject.history;
  await using other = await sqliteDatabase(subject.database.path);
  const heard = [subject.database, other].map(recordChanges);
  const onDisk = await subject.observer();
  append(subject, 600);
  await history.flush();
  await until(async () => (await onDisk()).length < 100);
  await subject.database.transaction(({ sql: writer }) => eraseMessage(writer, idAt(2 * 599)));
  expect(heard.map((list) => list())).toEqual([[], []]);
  await subject.database.transaction(async (tx) => tx.changed('content', 'a'));
  expect(heard.map((list) => list())).toEqual([['content a'], ['content a']]);
});
