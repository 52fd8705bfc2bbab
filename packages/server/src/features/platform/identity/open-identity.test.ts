import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Id, ID_EPOCH_SECONDS, idParts } from '@hearth/protocol';
import { recordChanges } from '@hearth/testing/ports/record-changes';
import { type FakeClock, fakeClock } from '@hearth/testing/fake-clock';
import { type TempFolder, tempFolder } from '@hearth/testing/temp-folder';
import { sqliteDatabase } from '../../../engines/databases.ts';
import { openIdentity } from './open-identity.ts';

const DAY_MS = 86_400_000;

/** Runs an instance from start to stop, with `count` identifiers in between. */
async function run(
  folder: TempFolder,
  clock: FakeClock,
  life: { count: number; stops: boolean },
): Promise<Id[]> {
  await using database = await sqliteDatabase(join(folder.path, 'hearth.sqlite'));
  const ids = await openIdentity(database, clock);
  const taken: Id[] = [];
  for (let i = 0; i < life.count; i += 1) taken.push(await ids.next());
  if (life.stops) await ids[Symbol.asyncDispose]();
  return taken;
}

test('[ID3] the instance id is the time of the first start, relative to the epoch', async () => {
  await using folder = await tempFolder();
  const clock = fakeClock(1_800_000_000_999);
  const ids = await run(folder, clock, { count: 1, stops: true });
  const instanceId = 1_800_000_000 - ID_EPOCH_SECONDS;
  expect(ids.map(idParts)).toEqual([{ seconds: instanceId, instanceId, sequence: 0 }]);
});

test('[ID3] the instance id is the same after every restart, clean or not, at any time', async () => {
  await using folder = await tempFolder();
  const clock = fakeClock();
  const taken: Id[] = [];
  for (const stops of [true, false, true]) {
    taken.push(...(await run(folder, clock, { count: 2, stops })));
    clock.advance(1_000);
    clock.setUnixMs(clock.unixMs() + DAY_MS);
  }
  expect(new Set(taken.map((id) => idParts(id).instanceId)).size).toBe(1);
});

test('[ID6] no cache is notified of a change when identifiers are reserved', async () => {
  await using folder = await tempFolder();
  await using database = await sqliteDatabase(join(folder.path, 'hearth.sqlite'));
  const clock = fakeClock();
  await using ids = await openIdentity(database, clock);
  const heard = recordChanges(database);
  for (let round = 0; round < 3; round += 1) {
    await ids.next();
    clock.advance(10_000);
  }
  expect(heard()).toEqual([]);
});

test('[ID3] instances that are made at different times have different instance ids', async () => {
  await using one = await tempFolder();
  await using other = await tempFolder();
  const clock = fakeClock();
  const first = await run(one, clock, { count: 1, stops: true });
  clock.advance(1_000);
  const second = await run(other, clock, { count: 1, stops: true });
  expect(new Set([...first, ...second].map((id) => idParts(id).instanceId)).size).toBe(2);
});

test('[ID3] an instance that is made before the epoch has the instance id 0', async () => {
  await using folder = await tempFolder();
  const ids = await run(folder, fakeClock(0), { count: 1, stops: true });
  expect(ids.map(idParts)).toEqual([{ seconds: 0, instanceId: 0, sequence: 0 }]);
});

test('[ID4][ID6] identifiers rise over restarts of all kinds within one second', async () => {
  await using folder = await tempFolder();
  const clock = fakeClock();
  const taken: Id[] = [];
  for (const stops of [true, false, false, true, true, false]) {
    taken.push(...(await run(folder, clock, { count: 3, stops })));
    clock.setUnixMs(clock.unixMs() - 10);
  }
  expect(taken.map((id) => BigInt(id))).toEqual(taken.map((id) => BigInt(id)).toSorted(compare));
  expect(new Set(taken).size).toBe(18);
});

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : 1;
}
