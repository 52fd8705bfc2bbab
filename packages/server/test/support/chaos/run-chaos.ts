import { channelSchema, ownCommunitySchema, roleSchema } from '@hearth/protocol/schemas';
import type { SharedEnvironment } from '@hearth/testing/instances/cluster';
import { expect } from 'bun:test';
import { jsonLogger } from '../../../src/log/logger.ts';
import { postgresDatabase } from '../../../src/ports/database/postgres.ts';
import type { Scene } from './acts.ts';
import { faultsOf, missing, untilAllShowWhatTheyRead } from './check.ts';
import { Choices } from './choices.ts';
import type { Fleet } from './fleet.ts';
import { Person } from './person.ts';
import { peopleOf, Rounds } from './rounds.ts';
import { Viewer } from './viewer.ts';

/** CHAOS_SEED=… makes a run repeat the choices of another; the machine decides the order of what happens at once. */
export const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);

const OTHERS = ['amy', 'ben', 'cat', 'dan', 'eve'];
const CHANNELS = ['meadow', 'orchard', 'pond'];
/** How many rounds there are between two comparisons. */
const ROUNDS_A_CHECK = 10;

export interface ChaosPlan {
  readonly environment: SharedEnvironment;
  readonly start: (environment: SharedEnvironment) => Promise<Fleet>;
  readonly rounds: number;
}

/** Runs rounds of random requests and kills, and checks what everyone reads, receives and shows. */
export async function runChaos({ environment, start, rounds: count }: ChaosPlan): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const choices = new Choices(SEED);
  const fleet = resources.use(await start(environment));
  const log = jsonLogger('silent', () => {});
  const database = resources.use(
    await postgresDatabase(environment['DATABASE_URL'] ?? '', { log }),
  );
  const scene = await makeScene(fleet, choices);
  const rounds = await Rounds.begin({ scene, fleet, database, choices });
  resources.defer(() => rounds.settled());
  const viewers = peopleOf(scene).map((person) => new Viewer(person, scene.community));
  for (const viewer of viewers) resources.defer(() => viewer.close());
  await untilAllShowWhatTheyRead(rounds, viewers);
  for (let round = 1; round <= count; round += 1) {
    await rounds.next();
    if (round % ROUNDS_A_CHECK === 0) await untilAllShowWhatTheyRead(rounds, viewers);
  }
  await rounds.settled();
  await untilAllShowWhatTheyRead(rounds, viewers);
  expect(faultsOf(rounds, viewers)).toEqual([]);
  const [owner] = viewers;
  if (owner === undefined) throw new Error('there is nobody');
  expect(await missing(rounds, owner)).toEqual([]);
  // Something was written, however often channels were hidden or deleted.
  expect(rounds.ledger.written.size).toBeGreaterThan(count / 4);
}

async function makeScene(fleet: Fleet, choices: Choices): Promise<Scene> {
  const register = async (name: string) => {
    // Each has choices of its own, because the order in which they choose is unknown.
    const person = new Person(name, fleet, new Choices(choices.below(2 ** 32)));
    await person.register();
    return person;
  };
  const [owner, moderator] = [await register('olga'), await register('max')];
  const others = await Promise.all(OTHERS.map(register));
  const made = await owner.ask('POST', '/communities', {
    ...{ name: 'The park', slug: 'park', visibility: 'public', join: 'open', kind: 'messages' },
  });
  const { id: community } = ownCommunitySchema.parse(made.body);
  const path = `/communities/${community}`;
  const addRole = async (name: string, permissions: readonly string[]) => {
    const { body } = await owner.ask('POST', `${path}/roles`, { name, permissions });
    return roleSchema.parse(body).id;
  };
  const addChannel = async (input: object) => {
    const { body } = await owner.ask('POST', `${path}/channels`, input);
    return channelSchema.parse(body).id;
  };
  const roles = [await addRole('red', []), await addRole('blue', [])];
  const moderators = await addRole('moderators', ['KICK', 'MANAGE_CONTENT']);
  const category = await addChannel({ kind: 'category', name: 'shelf' });
  for (const [at, name] of CHANNELS.entries()) {
    await addChannel({ kind: 'messages', name, ...(at === 0 && { category_id: category }) });
  }
  for (const person of [moderator, ...others.slice(1)]) {
    await person.ask('PUT', `${path}/members/me`);
  }
  await owner.ask('PATCH', `${path}/members/${moderator.id}`, { role_ids: [moderators] });
  return { community, owner, moderator, others, roles, category };
}
