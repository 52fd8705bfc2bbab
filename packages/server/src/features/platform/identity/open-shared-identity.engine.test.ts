import { expect, test } from 'bun:test';
import { ID_EPOCH_SECONDS, idParts } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { historyDatabase } from '@hearth/testing/instances/history-database';
import { sqliteDatabase } from '../../../engines/databases.ts';
import { patientPostgres } from '@hearth/testing/servers/patient-postgres';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { openIdentity } from './open-identity.ts';
import { openSharedIdentity } from './open-shared-identity.ts';

const START_MS = 1_800_000_000_000;
const INSTANCE_ID = 1_800_000_000 - ID_EPOCH_SECONDS;

test('[ID3] the first process creates the instance, with that time as its id and a random key', async () => {
  await using database = await historyDatabase();
  await using another = await historyDatabase();
  const clock = fakeClock(START_MS);
  const { instanceId, instanceKey, ids } = await openSharedIdentity(database, clock);
  expect(instanceId).toBe(INSTANCE_ID);
  expect(idParts(await ids.next()).instanceId).toBe(INSTANCE_ID);
  expect(instanceKey).toMatch(/^[0-9a-f]{32}$/);
  clock.advance(86_400_000);
  const again = await openSharedIdentity(database, clock);
  expect(again).toMatchObject({ instanceId, instanceKey });
  expect((await openSharedIdentity(another, clock)).instanceKey).not.toBe(instanceKey);
});

test('[ID3] processes that create an instance at the same time create a single one', async () => {
  await using database = await historyDatabase();
  await using second = await sqliteDatabase(database.path);
  const opened = Array.from({ length: 10 }, (_, i) =>
    openSharedIdentity(i % 2 === 0 ? database : second, fakeClock(START_MS + i * 1_000)),
  );
  const identities = await Promise.all(opened);
  expect(new Set(identities.map(({ instanceId }) => instanceId)).size).toBe(1);
  expect(new Set(identities.map(({ instanceKey }) => instanceKey)).size).toBe(1);
});

test('[ID3][ID6] an instance that was embedded keeps its id, and its identifiers continue', async () => {
  await using database = await historyDatabase();
  const clock = fakeClock(START_MS);
  const embedded = await openIdentity(database, clock);
  const before = await embedded.next();
  await embedded[Symbol.asyncDispose]();
  clock.setUnixMs(START_MS - 3_600_000);
  const { instanceId, ids } = await openSharedIdentity(database, clock);
  expect(instanceId).toBe(INSTANCE_ID);
  expect(BigInt(await ids.next())).toBe(BigInt(before) + 1n);
});

test('[ID3][ID6] an instance that is embedded again keeps its id, and its identifiers continue', async () => {
  await using database = await historyDatabase();
  const clock = fakeClock(START_MS);
  const { instanceId, ids } = await openSharedIdentity(database, clock);
  const before = await ids.next();
  await using embedded = await openIdentity(database, clock);
  const after = await embedded.next();
  expect(idParts(after).instanceId).toBe(instanceId);
  expect(BigInt(after)).toBeGreaterThan(BigInt(before));
});

test.skipIf(!hasPostgres)(
  '[ID3][ID4] processes that start at once on a PostgreSQL are one instance, and lease each identifier once',
  async () => {
    await using server = await sharedPostgres();
    const url = await server.createDatabase();
    await using one = await patientPostgres(url);
    await using other = await patientPostgres(url);
    const clock = fakeClock(START_MS);
    const opened = Array.from({ length: 6 }, (_, i) =>
      openSharedIdentity(i % 2 === 0 ? one : other, clock),
    );
    const identities = await Promise.all(opened);
    expect(new Set(identities.map(({ instanceId }) => instanceId)).size).toBe(1);
    expect(new Set(identities.map(({ instanceKey }) => instanceKey)).size).toBe(1);
    const leased = identities.flatMap(({ leaseIds }) => [leaseIds(), leaseIds()]);
    const taken = identities.map(({ ids }) => ids.next());
    const blocks = (await Promise.all(leased)).toSorted((a, b) => a.first - b.first);
    expect(blocks.every(({ first }, i) => first >= (blocks[i - 1]?.end ?? 0))).toBe(true);
    expect(new Set(await Promise.all(taken)).size).toBe(identities.length);
  },
  120_000,
);
