import { formatId, ID_EPOCH_SECONDS, NotFoundError, type Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { idsFrom } from '@hearth/testing/ports/id-source';
import { runs } from '@hearth/testing/runs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ANYONE, type Account } from '../src/actor.ts';
import { joinCommunity } from '../src/features/communities/members/join-community.ts';
import { readCommunity } from '../src/features/communities/structure/structure.ts';
import { countReach } from '../src/features/talk/messages/count-reach.ts';
import { sendStored } from '../src/features/talk/notifications/send-notifications.ts';
import { everyoneSees } from '../src/features/talk/places/places.ts';
import type { InstanceContext } from '../src/instance-context.ts';
import { plantGarden, type People, type Planted } from './support/sight/plant-garden.ts';
import {
  CHANNELS,
  expectedSight,
  GARDEN,
  isExpectedRestricted,
  lifeOf,
  LOOKERS,
  PEOPLE,
  type Looker,
  type Person,
  type Place,
} from './support/sight/random-garden.ts';
import { SURFACES } from './support/sight/surfaces.ts';

onEachDatabase((open, engine) => {
  describe('sight', () => {
    let own: CommunityTest;
    let ctx: InstanceContext;
    let [planted, drawn] = [0, 0];

    beforeAll(async () => {
      own = await communityTest(open);
      ctx = { ...own.ctx, ids: idsFrom(newId) };
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** Returns an id of the present time, so that what is written comes after people have joined. */
    const newId = () => {
      const seconds = Math.floor(own.clock.unixMs() / 1_000) - ID_EPOCH_SECONDS;
      return formatId({ seconds, instanceId: 1, sequence: (drawn += 1) });
    };
    const sightIn =
      ({ garden, ids }: Pick<Planted, 'garden' | 'ids'>, looker: Looker) =>
      (place: Place) =>
        expectedSight(garden, ids, { looker, place });

    async function newPeople(number: number): Promise<People> {
      const all: [Person, Account][] = [];
      for (const name of PEOPLE) all.push([name, await own.person(`${name}${number}`)]);
      // Guarantee: there is one for each of the names.
      return Object.fromEntries(all) as Record<Person, Account>;
    }

    /** The channels of which people are sent notifications now, by their streams. */
    async function notifyAll(by: InstanceContext): Promise<ReadonlyMap<string, ReadonlySet<Id>>> {
      await own.emitted();
      while ((await sendStored(by, 100)) > 0);
      const notified = new Map<string, Set<Id>>();
      for (const { stream, event } of await own.emitted()) {
        if (event?.op !== 'NOTIFICATION_CREATE') continue;
        // Guarantee: a notification has the id of its channel.
        const { channel_id: id } = event.d as { readonly channel_id: Id };
        notified.getOrInsertComputed(stream, () => new Set()).add(id);
      }
      return notified;
    }

    async function expectAlike(by: InstanceContext, place: Planted): Promise<void> {
      const { garden, ids, people } = place;
      const notified = await notifyAll(by);
      for (const looker of LOOKERS) {
        const look = {
          ...place,
          ctx: by,
          looker,
          actor: looker === 'guest' ? ANYONE : people[looker],
          sight: sightIn(place, looker),
          sightOfGuests: sightIn(place, 'guest'),
          isRestricted: (each: Place) => isExpectedRestricted(garden, ids, each),
          isMember: lifeOf(garden, looker) !== undefined,
          notified: notified.get(looker === 'guest' ? '' : `u:${ids[looker]}`) ?? new Set(),
        };
        for (const { name, of, expects, see } of SURFACES) {
          const seen = new Set(await see(look));
          const shown = of.filter((each) => seen.has(each));
          const expected = of.filter((each) => expects(look, each));
          expect([looker, name, ...shown]).toEqual([looker, name, ...expected]);
        }
      }
    }

    /** Two channels of which one is wrongly taken to be seen by everyone who sees the other, or that have another stream. */
    async function mistaken({ garden, ids }: Planted): Promise<readonly string[]> {
      const community = await readCommunity(own.database.reader, ids.garden);
      if (community === undefined) return ['garden'];
      return CHANNELS.flatMap((one) => {
        const channel = community.channelById.get(ids[one]);
        const isStreamed = channel?.isRestricted === isExpectedRestricted(garden, ids, one);
        if (channel === undefined || !isStreamed) return [one];
        return CHANNELS.flatMap((other) => {
          const seen = community.channelById.get(ids[other]);
          if (seen === undefined) return [other];
          if (!everyoneSees({ community, channel }, { community, channel: seen })) return [];
          return LOOKERS.filter((looker) => {
            const sight = sightIn({ garden, ids }, looker);
            return sight(one).follows && !sight(other).follows;
          }).map((looker) => `${looker} sees ${one} but not ${other}`);
        });
      });
    }

    async function expectReach(by: InstanceContext, place: Planted): Promise<void> {
      const { garden, ids, people } = place;
      for (const channel of ['talk', 'inside'] as const) {
        const others = PEOPLE.filter((name) => name !== 'olga' && lifeOf(garden, name));
        const seeing = others.filter((name) => sightIn(place, name)(channel).follows);
        const asked = { channel_id: ids[channel], content: '@all' };
        const reach = await countReach(by, people.olga, asked);
        expect({ channel, ...reach }).toEqual({ channel, people: seeing.length });
      }
    }

    /** Expects that somebody who is no member learns from an attempt to join only what they may know. */
    async function expectJoining(by: InstanceContext, place: Planted): Promise<void> {
      const { garden, ids, people } = place;
      const others = PEOPLE.filter((name) => lifeOf(garden, name) === undefined);
      for (const name of others) {
        const failure = await failureOf(
          joinCommunity(by, people[name], { community_id: ids.garden }),
        );
        const { reads } = sightIn(place, name)('garden');
        expect({ name, isHidden: failure instanceof NotFoundError }).toEqual({
          name,
          isHidden: !reads,
        });
      }
    }

    test('[CO30][CO30a] everything shows the same of a community and its channels to the same people', async () => {
      await fc.assert(
        fc.asyncProperty(GARDEN, fc.boolean(), async (garden, isFresh) => {
          const number = (planted += 1);
          const people = await newPeople(number);
          const place = await plantGarden(ctx, { garden, number, people });
          // Another process remembers nothing of what was before.
          const by = isFresh ? { ...ctx, ...own.stateOn(ctx.database) } : ctx;
          await expectAlike(by, place);
          expect(await mistaken(place)).toEqual([]);
          if (!garden.isDeleted) await expectReach(by, place);
          await expectJoining(by, place);
        }),
        { numRuns: engine === 'sqlite' ? runs(10) : runs(5) },
      );
    });
  });
});
