import { expect, test } from 'bun:test';
import type { Id } from '@hearth/protocol';
import { messageListSchema } from '@hearth/protocol/schemas';
import fc from 'fast-check';
import { ProfileClient } from '@hearth/testing/clients/profile-client';
import { ProfileLoad } from '@hearth/testing/clients/profile-load';
import {
  dice,
  Wanderer,
  type Adventures,
  type WandererHabits,
} from '@hearth/testing/clients/profile-wanderer';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';

interface Journey extends WandererHabits {
  readonly pandemonium: string;
  readonly clients: number;
  readonly messages: number;
  readonly bytes: number;
}

const LONG = 60_000;

const JOURNEYS: readonly (readonly [name: string, journey: Journey, isTold: keyof Adventures])[] = [
  [
    'with every missed event kept',
    {
      pandemonium: '',
      clients: 20,
      messages: 900,
      bytes: 40,
      stays: 60,
      away: 200,
      pauses: 60,
      slowVisits: 25,
    },
    'recovered',
  ],
  [
    'with fewer events kept than they often miss',
    {
      pandemonium: 'replay = { events = 40 }',
      clients: 20,
      messages: 900,
      bytes: 40,
      stays: 60,
      away: 120,
      pauses: 60,
      slowVisits: 25,
    },
    'gaps',
  ],
  [
    'with so much in flight that slow readers are closed',
    {
      pandemonium: 'send_buffer = "64KiB"\nreplay = { size = "5MB" }',
      clients: 8,
      messages: 320,
      bytes: LONG,
      stays: 40,
      away: 100,
      pauses: 250,
      slowVisits: 75,
    },
    'thrownOut',
  ],
];

function settings(pandemonium: string): string {
  const toml = `[oprish]\nmessage_limit = ${LONG}\n${GENEROUS_LIMITS}`;
  return toml.replace('[pandemonium]', `[pandemonium]\n${pandemonium}`);
}

async function history({ addresses }: TestInstance): Promise<readonly Id[]> {
  const ids: Id[] = [];
  for (let after = '0'; ; after = ids.at(-1) ?? after) {
    const answer = await fetch(`${addresses.rest}/messages?after=${after}&limit=100`);
    const page = messageListSchema.parse(await answer.json()).toReversed();
    ids.push(...page.map(({ id }) => id));
    if (page.length < 100) return ids;
  }
}

/** Makes clients come and go while messages are posted, and returns what happened to them. */
async function travel(journey: Journey, seed: number): Promise<Adventures> {
  await using instance = await startTestInstance({ toml: settings(journey.pandemonium) });
  using steady = await ProfileClient.greeted(instance);
  const load = new ProfileLoad(instance, {
    messages: journey.messages,
    atOnce: 4,
    contentOf: (index) => `${index} `.padEnd(journey.bytes, 'x'),
  });
  const wanderers = Array.from(
    { length: journey.clients },
    (_, index) => new Wanderer(instance, load, dice(seed + index * 7_919)),
  );
  await Promise.all([load.run(), ...wanderers.map((each) => each.wander(journey))]);
  await steady.untilEvents(journey.messages);
  await Promise.all(wanderers.map((each) => each.settle(journey.messages)));
  const kept = await history(instance);
  expect(steady.events.map(({ d }) => d.id)).toEqual([...kept]);
  for (const { log } of wanderers) expect(log).toEqual(kept);
  const all = wanderers.map(({ adventures }) => adventures);
  const sum = (key: keyof Adventures) => all.reduce((total, each) => total + each[key], 0);
  return { recovered: sum('recovered'), gaps: sum('gaps'), thrownOut: sum('thrownOut') };
}

test.each(JOURNEYS)(
  '[LB5][LB16][LB18][LB19][LB21] clients that come and go at random get every message once and in order, %s',
  async (_, journey, isTold) => {
    await fc.assert(
      fc.asyncProperty(fc.noBias(fc.nat()), async (seed) => {
        const adventures = await travel(journey, seed);
        expect(adventures[isTold]).toBeGreaterThan(0);
      }),
      { numRuns: 1, endOnFailure: true },
    );
  },
);
