import { expect, test } from 'bun:test';
import { idParts, type Id } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { historyDatabase } from '@hearth/testing/instances/history-database';
import { sqliteDatabase } from '../../../engines/databases.ts';
import { IdLeases } from './id-leases.ts';
import { openIdentity, ownerIdentity } from './open-identity.ts';
import { openSharedIdentity } from './open-shared-identity.ts';

const START_MS = 1_800_000_000_400;

test("[ID9] an owner's command and the one process of an instance never make the same identifier", async () => {
  await using database = await historyDatabase();
  await using beside = await sqliteDatabase(database.path);
  const clock = fakeClock(START_MS);
  const ids = await openIdentity(database, clock);
  const drawn: Id[] = [];
  for (let round = 0; round < 6; round += 1) {
    await using owner = ownerIdentity(beside, clock);
    const from = drawn.length;
    for (let count = 0; count < 3; count += 1) drawn.push(await owner.next());
    // More than is reserved at once, and from the same second.
    for (let count = 0; count < 5_000; count += 1) drawn.push(await ids.next());
    drawn.push(await owner.next(), await owner.after(drawn.at(-1) ?? drawn[0] ?? raise()));
    expect(BigInt(drawn.at(-1) ?? 0)).toBeGreaterThan(BigInt(drawn.at(-3) ?? 0));
    expect(new Set(drawn.slice(from)).size).toBe(drawn.length - from);
    if (round % 2 === 0) clock.advance(1_000);
    if (round === 3) await ids[Symbol.asyncDispose]();
  }
  expect(new Set(drawn).size).toBe(drawn.length);
  await ids[Symbol.asyncDispose]();
  const again = await openIdentity(database, clock);
  for (let count = 0; count < 9_000; count += 1) drawn.push(await again.next());
  expect(new Set(drawn).size).toBe(drawn.length);
  expect(new Set(drawn.map((id) => idParts(id).instanceId)).size).toBe(1);
});

test("[ID9] an owner's command shares no identifier with several processes, or with their lobby", async () => {
  await using database = await historyDatabase();
  const clock = fakeClock(START_MS);
  const processes = [
    await openSharedIdentity(database, clock),
    await openSharedIdentity(database, clock),
  ];
  const lobby = new IdLeases(database, clock);
  const positions: number[] = [];
  const take = (id: Id) => positions.push(idParts(id).seconds * 65_536 + idParts(id).sequence);
  for (let round = 0; round < 20; round += 1) {
    await using owner = ownerIdentity(database, clock);
    for (const { ids } of processes) take(await ids.next());
    take(await owner.next());
    const { first, end, step } = await lobby.lease();
    for (let position = first; position < end; position += step) positions.push(position);
    take(await owner.next());
    for (const { ids } of processes) take(await ids.next());
    if (round % 5 === 0) clock.advance(700);
  }
  expect(new Set(positions).size).toBe(positions.length);
  for (const { ids } of processes) await ids[Symbol.asyncDispose]();
});

test("[ID9] an owner's command that needs no identifier reads and reserves nothing, and others return what is left", async () => {
  await using database = await historyDatabase();
  const clock = fakeClock(START_MS);
  const idle = ownerIdentity(database, clock);
  await idle[Symbol.asyncDispose]();
  expect(database.begun).toBe(0);
  const made: Id[] = [];
  for (let count = 0; count < 100; count += 1) {
    await using owner = ownerIdentity(database, clock);
    made.push(await owner.next());
  }
  const seconds = made.map((id) => idParts(id).seconds);
  expect(new Set(seconds).size).toBe(1);
});

test("[ID9] an owner's command before the first start makes the instance's id, which the instance keeps", async () => {
  await using database = await historyDatabase();
  const clock = fakeClock(START_MS);
  const owner = ownerIdentity(database, clock);
  const id = await owner.next();
  clock.advance(5_000);
  await using ids = await openIdentity(database, clock);
  expect(idParts(await ids.next()).instanceId).toBe(idParts(id).instanceId);
  await owner[Symbol.asyncDispose]();
});

function raise(): never {
  throw new Error('there is no identifier yet');
}
