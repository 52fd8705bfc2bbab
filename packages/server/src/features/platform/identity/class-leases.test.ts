import { describe, expect, test } from 'bun:test';
import { formatId, type Id, ID_EPOCH_SECONDS, idParts, IDS_PER_SECOND } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { historyDatabase } from '@hearth/testing/instances/history-database';
import { openIdentity } from './open-identity.ts';
import { openSharedIdentity } from './open-shared-identity.ts';
import { LOBBY_POSITIONS, PROCESS_CLASSES, processPositions } from './residue-class.ts';

const START_MS = 1_800_000_000_400;
const START_SECONDS = 1_800_000_000 - ID_EPOCH_SECONDS;
const STEP = 2 * PROCESS_CLASSES;

const positionOf = (id: Id) => idParts(id).seconds * IDS_PER_SECOND + idParts(id).sequence;

test('[ID7] no position belongs to two classes, or to the lobby and a class', () => {
  const owners = new Map<number, number>();
  for (let sequence = 0; sequence < IDS_PER_SECOND; sequence += 1) {
    const classes = Array.from({ length: PROCESS_CLASSES }, (_, index) => processPositions(index));
    const all = [LOBBY_POSITIONS, ...classes];
    const own = all.filter(({ step, residue }) => sequence % step === residue);
    owners.set(own.length, (owners.get(own.length) ?? 0) + 1);
  }
  expect([...owners]).toEqual([[1, IDS_PER_SECOND]]);
});

describe('processes of one instance', () => {
  test('[ID7] each draw from their own class, without asking for each identifier', async () => {
    await using database = await historyDatabase();
    let transactions = 0;
    database.setBefore(async () => void (transactions += 1));
    const clock = fakeClock(START_MS);
    const processes = [];
    for (let index = 0; index < 3; index += 1) {
      processes.push(await openSharedIdentity(database, clock));
    }
    const drawn: Id[] = [];
    for (const { ids } of processes) drawn.push(await ids.next());
    const before = transactions;
    for (let second = 0; second < 10; second += 1) {
      for (const { ids } of processes) void ids.nextFor((id) => drawn.push(id));
      clock.advance(1_000);
    }
    expect(transactions).toBe(before);
    expect(new Set(drawn).size).toBe(33);
    const residues = drawn.map((id) => positionOf(id) % STEP);
    expect(new Set(residues).size).toBe(3);
    expect(residues.every((residue) => residue % 2 === 1)).toBe(true);
    for (const { ids } of processes) await ids[Symbol.asyncDispose]();
  });

  test('[ID7] processes renew their classes, and take those that were released or not renewed for two minutes', async () => {
    await using database = await historyDatabase();
    const clock = fakeClock(START_MS);
    const open = () => openSharedIdentity(database, clock);
    const residueOf = async ({ ids }: Awaited<ReturnType<typeof open>>) =>
      positionOf(await ids.next()) % STEP;
    const [one, other] = [await open(), await open()];
    const [first, second] = [await residueOf(one), await residueOf(other)];
    expect(first).not.toBe(second);
    await one.ids[Symbol.asyncDispose]();
    const heir = await open();
    expect(new Set([await residueOf(heir), first, second]).size).toBeGreaterThanOrEqual(2);
    expect(await residueOf(other)).toBe(second);
    await heir.ids[Symbol.asyncDispose]();
    await other.ids[Symbol.asyncDispose]();
  });

  test('[ID6][ID7] that lost their class continue with another one, and nothing is drawn twice', async () => {
    await using database = await historyDatabase();
    const halted = fakeClock(START_MS);
    const clock = fakeClock(START_MS);
    const victim = await openSharedIdentity(database, halted);
    const drawn = [await victim.ids.next()];
    clock.advance(300_000);
    const others = [];
    for (let index = 0; index <= PROCESS_CLASSES; index += 1) {
      const other = await openSharedIdentity(database, clock);
      others.push(other);
      drawn.push(await other.ids.next());
    }
    halted.advance(300_000);
    for (let count = 0; count < 100; count += 1) {
      drawn.push(await victim.ids.next());
      for (const other of others) drawn.push(await other.ids.next());
    }
    expect(new Set(drawn).size).toBe(drawn.length);
    for (const { ids } of [victim, ...others]) await ids[Symbol.asyncDispose]();
  });

  test('[ID6][ID7] processes of one instance are followed by an instance of one process with later identifiers, and the other way round', async () => {
    await using database = await historyDatabase();
    const clock = fakeClock(START_MS);
    const shared = await openSharedIdentity(database, clock);
    const last = await shared.ids.next();
    const alone = await openIdentity(database, clock);
    const next = await alone.next();
    expect(BigInt(next)).toBeGreaterThan(BigInt(last));
    await alone[Symbol.asyncDispose]();
    const again = await openSharedIdentity(database, clock);
    expect(BigInt(await again.ids.next())).toBeGreaterThan(BigInt(next));
  });
});

describe('an identifier after another', () => {
  const instance = async () => {
    const database = await historyDatabase();
    const clock = fakeClock(START_MS);
    return { database, clock, shared: await openSharedIdentity(database, clock) };
  };

  test('[ID8] an identifier is greater than that one, whichever process made it and however far ahead it is', async () => {
    const { database, clock, shared } = await instance();
    await using _database = database;
    const other = await openSharedIdentity(database, clock);
    let last = await shared.ids.next();
    for (let turn = 0; turn < 200; turn += 1) {
      const next = await (turn % 2 === 0 ? other : shared).ids.after(last);
      expect(BigInt(next)).toBeGreaterThan(BigInt(last));
      last = next;
    }
    expect(idParts(last).seconds).toBe(START_SECONDS);
    const { instanceId } = shared;
    const ahead = formatId({ seconds: START_SECONDS + 86_400, instanceId, sequence: 17 });
    const later = await shared.ids.after(ahead);
    expect(positionOf(later) - positionOf(ahead)).toBeLessThanOrEqual(STEP);
    expect(BigInt(await shared.ids.next())).toBeGreaterThan(BigInt(later));
    expect(BigInt(await other.ids.after(later))).toBeGreaterThan(BigInt(later));
  });

  test('[ID8] an identifier is greater than one of another instance, which comes first in the order of identifiers', async () => {
    const { database, shared } = await instance();
    await using _database = database;
    const { instanceId } = shared;
    for (const foreign of [instanceId - 1, instanceId + 1]) {
      const last = formatId({ seconds: START_SECONDS, instanceId: foreign, sequence: 65_535 });
      expect(BigInt(await shared.ids.after(last))).toBeGreaterThan(BigInt(last));
    }
  });

  test('[ID8] an identifier needs no database as long as it is within what is reserved', async () => {
    const { database, shared } = await instance();
    await using _database = database;
    const { instanceId } = shared;
    await shared.ids.next();
    database.setBefore(() => Promise.reject(new Error('the database is away')));
    const last = formatId({ seconds: START_SECONDS + 30, instanceId, sequence: 5 });
    expect(BigInt(await shared.ids.after(last))).toBeGreaterThan(BigInt(last));
  });

  test('[ID8] an identifier is greater in an instance of one process too', async () => {
    await using database = await historyDatabase();
    await using ids = await openIdentity(database, fakeClock(START_MS));
    const first = await ids.next();
    const { instanceId } = idParts(first);
    const last = formatId({ seconds: START_SECONDS + 3_600, instanceId, sequence: 5 });
    const next = await ids.after(last);
    expect(BigInt(next)).toBe(BigInt(last) + 1n);
    expect(BigInt(await ids.next())).toBeGreaterThan(BigInt(next));
    expect(BigInt(await ids.after(first))).toBeGreaterThan(BigInt(next));
  });
});
