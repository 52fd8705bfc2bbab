import { Recorder } from '@hearth/testing/ports/bus-recorder';
import {
  countsIn,
  emitCounted,
  entriesIn,
  numbersIn,
  rowsIn,
} from '@hearth/testing/ports/emit-counted';
import { emittingProcess, SUBJECTS } from '@hearth/testing/ports/emitting-process';
import { entriesOf, expectPublishedInSpiteOf } from '@hearth/testing/ports/outbox-kills';
import { sharedPlace, type OutboxMember } from '@hearth/testing/ports/outbox-places';
import { freshPrefix, openSharedBus } from '@hearth/testing/ports/shared-bus';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';
import { runAll } from '@hearth/testing/so-many-at-once';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function follow({ bus }: Pick<OutboxMember, 'bus'>) {
  const follower = new Recorder();
  const subscription = await bus.subscribe(follower);
  return { follower, current: () => subscription.current() };
}

describe.skipIf(areServersMissing)('the outbox of several processes', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await sharedServers();
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  const newInstance = async () => ({
    environment: await servers.newInstance(),
    prefix: freshPrefix(),
  });

  test('[OB3] the events of a process that was killed between its commit and the publication are published', async () => {
    const instance = await newInstance();
    const place = sharedPlace(instance.environment, instance.prefix);
    await using victim = emittingProcess(place.address, { isMute: true });
    for (let commit = 0; commit < 6; commit += 1) expect(await victim.says()).toBe('committed');
    await victim.kill();
    const url = instance.environment.REDIS_URL;
    await using gateway = await openSharedBus({ url, prefix: instance.prefix });
    const { follower, current } = await follow(gateway);
    await using one = await place.open();
    await using _other = await place.open();
    await until(async () => (await rowsIn(one.database)) === 0);
    await current();
    const committed = await countsIn(one.database);
    expect(follower.taken.length).toBeGreaterThanOrEqual(6);
    for (const subject of SUBJECTS) {
      expect(entriesIn(follower, subject)).toEqual(entriesOf(1, committed.get(subject) ?? 0));
    }
  });

  test('[OB3] committed events are published even if the answer to the commit was lost', async () => {
    const instance = await newInstance();
    const failure = new Error('the answer to the commit was lost');
    await using member = await sharedPlace(instance.environment, instance.prefix).open({
      database: (database) => ({
        ...database,
        async transaction(work) {
          await database.transaction(work);
          throw failure;
        },
      }),
    });
    const { follower } = await follow(member);
    const emission = member.database.transaction((tx) => emitCounted(tx, 'channel 1'));
    expect(await emission.catch((error: unknown) => error)).toBe(failure);
    await until(async () => follower.taken.length > 0);
    expect(numbersIn(follower, 'channel 1')).toEqual([1]);
  });

  test('[OB2] events are published once and in order if all processes find them at the same time', async () => {
    const instance = await newInstance();
    const place = sharedPlace(instance.environment, instance.prefix);
    await using owner = await place.openOwner();
    await using first = await place.open();
    const { follower, current } = await follow(first);
    await using _second = await place.open();
    await using _third = await place.open();
    await runAll({ count: 120, atOnce: 9 }, (n) =>
      owner.transaction((tx) => emitCounted(tx, SUBJECTS[n % SUBJECTS.length] ?? '')),
    );
    await until(async () => (await rowsIn(owner)) === 0);
    await current();
    for (const subject of SUBJECTS) expect(numbersIn(follower, subject)).toEqual(range(40));
  });

  test('[OB2][OB3] everything is published once and in order while processes are killed', async () => {
    const { environment, prefix } = await newInstance();
    await expectPublishedInSpiteOf(4, sharedPlace(environment, prefix));
  });
});
