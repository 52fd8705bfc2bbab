import { channelSchema, ownCommunitySchema, roleSchema } from '@hearth/protocol/schemas';
import type { SharedEnvironment } from '@hearth/testing/instances/cluster';
import { expect } from 'bun:test';
import { z } from 'zod';
import { jsonLogger } from '../../../src/log/logger.ts';
import { postgresDatabase } from '../../../src/engines/databases.ts';
import { faultsOf, missing, untilAllShowWhatTheyRead, untilNothing } from './check.ts';
import { Choices } from './choices.ts';
import type { Fleet } from './fleet.ts';
import type { Outages } from './outages.ts';
import { Person } from './person.ts';
import { Rounds } from './rounds.ts';
import { ownerIn, peopleOf, type Scene } from './scene.ts';
import { Viewer } from './viewer.ts';

/** CHAOS_SEED=… makes a run repeat the choices of another; the machine decides the order of what happens at once. */
export const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);

const OTHERS = ['amy', 'ben', 'cat', 'dan', 'eve'];
const CHANNELS = ['meadow', 'orchard', 'pond'];
/** The number of rounds between two comparisons. */
const ROUNDS_A_CHECK = 10;
/** A request is answered within this time, whatever fails, on a machine that is busy with other work; in milliseconds. */
const MOST_ANSWER_MS = 12_000;

export interface ChaosPlan {
  readonly environment: SharedEnvironment;
  readonly start: (environment: SharedEnvironment) => Promise<Fleet>;
  readonly rounds: number;
  readonly roundsACheck?: number;
  readonly outages?: Outages;
}

/** Runs rounds of random requests, kills and outages, and checks what everyone reads, receives and shows. */
export async function runChaos({
  environment,
  start,
  rounds: count,
  roundsACheck = ROUNDS_A_CHECK,
  outages,
}: ChaosPlan): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const choices = new Choices(SEED);
  const started = resources.use(await start(environment));
  const fleet = { ...started, mayFail: () => outages?.isNow === true };
  const log = jsonLogger('silent', () => {});
  const database = resources.use(
    await postgresDatabase(environment['DATABASE_URL'] ?? '', { log }),
  );
  const scene = await makeScene(fleet, choices);
  const rounds = await Rounds.begin({ scene, fleet, database, choices, outages });
  resources.defer(() => rounds.settled());
  const everyone = [...peopleOf(scene), scene.guest];
  const viewers = everyone.map((person) => new Viewer(person, scene.community));
  for (const viewer of viewers) resources.defer(() => viewer.close());
  await untilAllShowWhatTheyRead(rounds, viewers);
  for (let round = 1; round <= count; round += 1) {
    await rounds.next();
    if (round % roundsACheck !== 0 || round === count) continue;
    // What is only sent to those who watch may be lost with Redis.
    if (outages !== undefined) for (const viewer of viewers) viewer.watch();
    await untilAllShowWhatTheyRead(rounds, viewers);
  }
  await rounds.settled();
  if (outages !== undefined) for (const viewer of viewers) viewer.watch();
  await untilAllShowWhatTheyRead(rounds, viewers);
  expect(faultsOf(rounds, viewers)).toEqual([]);
  const owner = ownerIn({ scene, snapshot: rounds.now });
  await untilNothing(() => missing(rounds, owner));
  expect(Math.max(...everyone.map(({ slowestMs }) => slowestMs))).toBeLessThan(MOST_ANSWER_MS);
  // Something was written, however often channels were hidden or deleted.
  expect(rounds.ledger.written.size).toBeGreaterThan(count / 4);
}

async function makeScene(fleet: Fleet, choices: Choices): Promise<Scene> {
  // Each has choices of their own, because the order in which they choose is unknown.
  const person = (name: string) => new Person(name, fleet, new Choices(choices.below(2 ** 32)));
  const register = async (name: string) => {
    const registered = person(name);
    await registered.register();
    return registered;
  };
  const [founder, moderator] = [await register('olga'), await register('max')];
  const others = await Promise.all(OTHERS.map(register));
  const made = await founder.ask('POST', '/communities', {
    ...{ name: 'The park', slug: 'park', visibility: 'public', join: 'open', kind: 'messages' },
  });
  const { id: community } = ownCommunitySchema.parse(made.body);
  const path = `/communities/${community}`;
  const addRole = async (name: string, permissions: readonly string[]) => {
    const { body } = await founder.ask('POST', `${path}/roles`, { name, permissions });
    return roleSchema.parse(body).id;
  };
  const addChannel = async (input: object) => {
    const { body } = await founder.ask('POST', `${path}/channels`, input);
    return channelSchema.parse(body).id;
  };
  await addRole('red', []);
  await addRole('blue', []);
  const moderators = await addRole('moderators', ['KICK', 'MANAGE_CONTENT', 'PIN', 'TIMEOUT']);
  const order = await founder.ask('GET', `${path}/roles`);
  // The moderators are above the others.
  const ids = z
    .array(roleSchema)
    .parse(order.body)
    .map(({ id }) => id);
  const below = ids.filter((id) => id !== moderators && id !== community);
  await founder.ask('PUT', `${path}/roles/order`, { ids: [...below, moderators] });
  const category = await addChannel({ kind: 'category', name: 'shelf' });
  for (const [at, name] of CHANNELS.entries()) {
    await addChannel({ kind: 'messages', name, ...(at === 0 && { category_id: category }) });
  }
  for (const each of [moderator, ...others.slice(1)]) await each.ask('PUT', `${path}/members/me`);
  await founder.ask('PATCH', `${path}/members/${moderator.id}`, { role_ids: [moderators] });
  const invite = await founder.ask('POST', `${path}/invites`, {});
  const { code } = z.object({ code: z.string() }).parse(invite.body);
  return {
    community,
    founder,
    moderator,
    others,
    guest: person('guest'),
    moderators,
    category,
    invite: code,
  };
}
