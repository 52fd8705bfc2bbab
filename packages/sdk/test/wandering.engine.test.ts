import { afterAll, expect, test } from 'bun:test';
import { ProfileLoad } from '@hearth/testing/clients/profile-load';
import { dice } from '@hearth/testing/clients/profile-wanderer';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { cuttableClient } from './support/cuttable-client.ts';
import { isCurrent, witnessOf } from '@hearth/testing/clients/witness';

const MESSAGES = 1_500;

/** Counts of what happened, to check that the test covers something. */
let recovered = 0;
let broken = 0;

afterAll(() => {
  expect(recovered).toBeGreaterThan(10);
  expect(broken).toBeGreaterThan(10);
});

/** Breaks connections all the time, and sometimes leaves them broken for a few messages. */
async function wander(seed: number): Promise<void> {
  const roll = dice(seed);
  // Few events are kept to resume from, so that a client that was away for a while needs the history.
  const toml = `${GENEROUS_LIMITS}[pandemonium.replay]\nevents = 25\n`;
  await using instance = await startTestInstance({ toml });
  await using cuttable = await cuttableClient(instance);
  const { client, cutter, restCutter } = cuttable;
  const witness = witnessOf(client);
  await client.open();
  const load = new ProfileLoad(instance, {
    messages: MESSAGES,
    atOnce: 3,
    contentOf: (index) => `no. ${index}`,
  });
  const posted = load.run();
  while (!load.isOver) {
    await load.more(roll(60));
    const broke = roll(3) === 0 ? restCutter : cutter;
    broke.cut();
    if (roll(2) === 0) continue;
    broke.refuse(true);
    await load.more(roll(120));
    broke.refuse(false);
  }
  await posted;
  await witness.until(() => isCurrent(client) && witness.messages.length >= MESSAGES);
  const ids = witness.messages.map(({ id }) => BigInt(id ?? 0));
  expect(ids).toEqual(ids.toSorted((one, other) => (one < other ? -1 : 1)));
  const expected = Array.from({ length: MESSAGES }, (_, index) => `no. ${index + 1}`);
  expect(witness.contents.toSorted()).toEqual(expected.toSorted());
  expect(witness.gaps).toEqual([]);
  recovered += witness.messages.filter(({ isRecovered }) => isRecovered).length;
  broken += witness.states.filter(({ state }) => state === 'waiting').length;
}

const given = Math.floor(Math.random() * 2 ** 32);

test.each([1, 2, given])(
  'whatever breaks, every message is delivered once and in order: seed %i',
  wander,
);
