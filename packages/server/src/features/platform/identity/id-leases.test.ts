import { describe, expect, test } from 'bun:test';
import { ID_EPOCH_SECONDS, IDS_PER_SECOND, ServerError } from '@hearth/protocol';
import { recordChanges } from '@hearth/testing/ports/record-changes';
import { type FakeClock, fakeClock } from '@hearth/testing/fake-clock';
import { type HistoryDatabase, historyDatabase } from '@hearth/testing/instances/history-database';
import { sqliteDatabase } from '../../../engines/databases.ts';
import { IdLeases, LEASED_IDS } from './id-leases.ts';
import { MAX_DEBT_SECONDS } from './id-generator.ts';
import { LOBBY_POSITIONS } from './residue-class.ts';
import { openIdentity } from './open-identity.ts';
import { writeLease } from './store.ts';

const START_MS = 1_800_000_000_400;
const START_SECONDS = 1_800_000_000 - ID_EPOCH_SECONDS;
const HOUR_MS = 3_600_000;

/** The first position of the second that is this many after the start. */
const positionAt = (seconds: number) => (START_SECONDS + seconds) * IDS_PER_SECOND;

/** As if this many had been leased since the last block that began in its own second, in no time. */
function borrow(database: HistoryDatabase, ids: number): Promise<void> {
  return database.transaction(({ sql: writer }) =>
    writeLease(writer, { mark: positionAt(0) + ids, anchorSeconds: START_SECONDS }),
  );
}

/** The number of positions in a block. */
const BLOCK = LEASED_IDS * LOBBY_POSITIONS.step;

describe('a leased block', () => {
  test('[ID4] a block begins with the second, or after what any process has leased', async () => {
    await using database = await historyDatabase();
    await using second = await sqliteDatabase(database.path);
    const clock = fakeClock(START_MS);
    const [one, other] = [new IdLeases(database, clock), new IdLeases(second, clock)];
    const blocks = [];
    for (const leases of [one, other, other, one]) blocks.push(await leases.lease());
    expect(blocks).toEqual(
      [0, 1, 2, 3].map((i) => ({
        first: positionAt(0) + i * BLOCK,
        end: positionAt(0) + (i + 1) * BLOCK,
        step: LOBBY_POSITIONS.step,
      })),
    );
    clock.advance(600);
    expect((await other.lease()).first).toBe(positionAt(1));
  });

  test('[ID4] a block belongs to one process if many lease at once', async () => {
    await using database = await historyDatabase();
    await using second = await sqliteDatabase(database.path);
    const leases = [database, second, database].map(
      (opened) => new IdLeases(opened, fakeClock(START_MS)),
    );
    const asked = Array.from({ length: 30 }, (_, i) => leases[i % leases.length]?.lease());
    const firsts = (await Promise.all(asked)).map((block) => block?.first ?? 0);
    expect(firsts.toSorted((a, b) => a - b)).toEqual(
      firsts.map((_, i) => positionAt(0) + i * BLOCK),
    );
  });

  test('[ID6] a block is after what an embedded instance of the same data has used', async () => {
    await using database = await historyDatabase();
    const clock = fakeClock(START_MS);
    const embedded = await openIdentity(database, clock);
    for (let i = 0; i < 5_000; i += 1) await embedded.next();
    await embedded[Symbol.asyncDispose]();
    const { first } = await new IdLeases(database, clock).lease();
    expect(first).toBe(positionAt(0) + 5_000);
    await using again = await openIdentity(database, clock);
    await again.next();
    expect((await new IdLeases(database, clock).lease()).first).toBeGreaterThan(first + BLOCK);
  });

  test('[ID4] a block is missing if the database refuses, but the next one is there', async () => {
    await using database = await historyDatabase();
    const leases = new IdLeases(database, fakeClock(START_MS));
    database.setBefore(() => Promise.reject(new Error('the disk is full')));
    await expect(leases.lease()).rejects.toThrow('the disk is full');
    database.setBefore(async () => {});
    expect((await leases.lease()).first).toBe(positionAt(0));
  });

  test('[ID6] leasing a block does not report that files may have changed', async () => {
    await using database = await historyDatabase();
    const heard = recordChanges(database);
    await new IdLeases(database, fakeClock(START_MS)).lease();
    expect(heard()).toEqual([]);
  });
});

describe('debt', () => {
  async function setUp() {
    const database = await historyDatabase();
    const clocks = [fakeClock(START_MS), fakeClock(START_MS)] as const;
    const [one, other] = clocks.map((clock) => new IdLeases(database, clock));
    if (one === undefined || other === undefined) throw new Error('there are two');
    await one.lease();
    await other.lease();
    return { database, clocks, one, other };
  }

  const pass = (clocks: readonly FakeClock[], ms: number) => {
    for (const clock of clocks) clock.advance(ms);
  };

  test('[ID5] a debt of at most 60 seconds is allowed for all processes together, until time has caught up', async () => {
    const { database, clocks, one, other } = await setUp();
    await using _database = database;
    await borrow(database, MAX_DEBT_SECONDS * IDS_PER_SECOND);
    expect((await one.lease()).first).toBe(positionAt(60));
    await borrow(database, (MAX_DEBT_SECONDS + 1) * IDS_PER_SECOND);
    for (const leases of [one, other, one]) {
      await expect(leases.lease()).rejects.toBeInstanceOf(ServerError);
    }
    pass(clocks, 599);
    await expect(other.lease()).rejects.toBeInstanceOf(ServerError);
    pass(clocks, 1);
    expect((await other.lease()).first).toBe(positionAt(61));
    pass(clocks, 62_000);
    expect((await one.lease()).first).toBe(positionAt(63));
  });

  test('[ID5][ID6] the debt does not grow when a clock is set back, because time continues', async () => {
    const { database, clocks, one, other } = await setUp();
    await using _database = database;
    await borrow(database, (MAX_DEBT_SECONDS + 1) * IDS_PER_SECOND);
    for (const clock of clocks) clock.setUnixMs(START_MS - HOUR_MS);
    for (const leases of [one, other]) {
      await expect(leases.lease()).rejects.toBeInstanceOf(ServerError);
    }
    pass(clocks, 1_000);
    expect((await one.lease()).first).toBe(positionAt(61));
    expect((await other.lease()).first).toBe(positionAt(61) + BLOCK);
  });

  test("[ID5][ID6] the debt does not include how far another machine's clock is ahead, or was for a moment", async () => {
    const { database, clocks, one, other } = await setUp();
    await using _database = database;
    clocks[0].setUnixMs(START_MS + 24 * HOUR_MS);
    const { first } = await one.lease();
    expect(first).toBe(positionAt(24 * 3_600));
    expect((await other.lease()).first).toBe(first + BLOCK);
    clocks[0].setUnixMs(START_MS);
    pass(clocks, 10_000);
    let last = first + BLOCK;
    for (const leases of [one, other, one]) {
      last += BLOCK;
      expect((await leases.lease()).first - BLOCK).toBe(last - BLOCK);
    }
    const late = new IdLeases(database, fakeClock(START_MS));
    expect((await late.lease()).first).toBe(last + BLOCK);
  });

  test('[ID5][ID6] the debt is cleared by a start, after which 60 seconds may be borrowed again', async () => {
    const { database, clocks, one } = await setUp();
    await using _database = database;
    await borrow(database, 3_600 * IDS_PER_SECOND);
    await expect(one.lease()).rejects.toBeInstanceOf(ServerError);
    const started = new IdLeases(database, clocks[0]);
    expect((await started.lease()).first).toBe(positionAt(3_600));
    expect((await one.lease()).first).toBe(positionAt(3_600) + BLOCK);
  });
});
