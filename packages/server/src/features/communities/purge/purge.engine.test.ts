import { NO_ID, storedId } from '../../../ports/database/stored-id.ts';
import { NotFoundError, type Id, type OwnCommunity } from '@hearth/protocol';
import { RESTORABLE_MS } from '@hearth/protocol/schemas';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { trialDatabase } from '@hearth/testing/ports/trial-database';
import { scansOf } from '@hearth/testing/scans';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { type TableData, isNumeric } from '../../../ports/database/table-data.ts';
import { TABLES } from '../../../schema.ts';
import { createChannel } from '../channels/create-channel.ts';
import { deleteChannel } from '../channels/change-channel.ts';
import { findCommunity } from '../communities/find-community.ts';
import { createRole } from '../roles/create-role.ts';
import { purgeCommunities, purgeRows, type PurgedChannel } from './purge-communities.ts';

const HOUR_MS = 3_600_000;
const TABLES_BY_NAME: readonly (readonly [string, TableData])[] = Object.entries(TABLES);

test('[CO19] every table that names a community or a channel says with what its rows are removed', () => {
  const unknown = TABLES_BY_NAME.filter(([, { columns, removedWith = {} }]) =>
    'community_id' in columns
      ? removedWith.community === undefined && removedWith.channel === undefined
      : 'channel_id' in columns && removedWith.channel === undefined,
  );
  expect(unknown.map(([name]) => name)).toEqual([]);
});

onEachDatabase((open) => {
  describe('[CO19] purging', () => {
    let own: CommunityTest;
    let ada: Account;
    const purged: Omit<PurgedChannel, 'signal'>[] = [];

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    const purge = async () => {
      const ctx = own.ctx;
      const job = purgeCommunities(ctx, {
        purgers: [
          async (_ctx, { communityId, channelId }) => {
            purged.push({ communityId, channelId });
          },
        ],
        afterRows: [],
        tables: TABLES,
      });
      await job.run(undefined, { id: '1', number: 1, signal: new AbortController().signal });
    };

    interface Filled {
      readonly id: Id;
      readonly channelId: Id;
      readonly roleId: Id;
    }

    /** A community with a row in every table that may have one. */
    const filled = async (): Promise<Filled> => {
      const community: OwnCommunity = await own.garden(ada, { visibility: 'public' });
      const { id } = community;
      const channelId = community.channels[0]?.id ?? id;
      const role = await createRole(own.ctx, ada, {
        community_id: id,
        name: 'x',
        hoisted: false,
        mentionable: false,
        self_assignable: false,
        permissions: [],
      });
      // Some rows exist once for each person.
      const { user_id } = await own.person(`member-of-${community.slug}`);
      await own.database.unchecked.transaction(async ({ sql }) => {
        for (const [table, { columns, removedWith }] of TABLES_BY_NAME) {
          if (removedWith === undefined) continue;
          const known: Readonly<Record<string, string>> = {
            community_id: id,
            channel_id: channelId,
            user_id,
            role_id: role.id,
          };
          const isDeleted = (column: string) => column === 'deleted_at_ms';
          // JSON, which is read when a channel is found.
          const textIn = (column: string) => (column === 'post_settings' ? '' : `x${id}`);
          const row = Object.fromEntries(
            Object.entries(columns).map(([column, type]) => [
              column,
              known[column] ??
                (isNumeric(type)
                  ? Number(!isDeleted(column))
                  : type === 'id'
                    ? id
                    : textIn(column)),
            ]),
          );
          await sql
            .insertInto(table as 'channel_pins')
            .values(row as never)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
      });
      return { id, channelId, roleId: role.id };
    };

    /** The tables that have rows of a community or of its channel. */
    const tablesWith = async ({ id, channelId }: Filled): Promise<readonly string[]> => {
      const found: string[] = [];
      for (const [table, { removedWith = {} }] of TABLES_BY_NAME) {
        for (const [column, value] of [
          [removedWith.community, id],
          [removedWith.channel, channelId],
        ]) {
          if (column === undefined || value === undefined) continue;
          const row = await own.database.reader
            .selectFrom(table as 'channel_pins')
            .select((each) => each.lit(1).as('one'))
            .where(column as 'channel_id', '=', storedId(value))
            .executeTakeFirst();
          if (row !== undefined && !found.includes(table)) found.push(table);
        }
      }
      return found.toSorted();
    };
    const removable = TABLES_BY_NAME.filter(([, { removedWith }]) => removedWith !== undefined)
      .map(([name]) => name)
      .toSorted();

    const markDeleted = (id: Id) =>
      own.database.transaction(({ sql }) =>
        sql
          .updateTable('communities')
          .set({ deleted_at_ms: own.clock.unixMs() })
          .where('id', '=', id)
          .execute(),
      );

    test('everything of a community is removed a week after it was deleted, and nothing of others', async () => {
      const [gone, kept] = [await filled(), await filled()];
      expect(await tablesWith(gone)).toEqual(removable);
      const many = Array.from({ length: 2_001 }, (_, index) => {
        return {
          channel_id: gone.channelId,
          user_id: storedId(String(index + 1)),
          posted_at_ms: 1,
        };
      });
      await own.database.transaction(async ({ sql }) => {
        await sql.insertInto('channel_paces').values(many).execute();
      });
      await markDeleted(gone.id);
      own.clock.halt(RESTORABLE_MS);
      await purge();
      expect(await tablesWith(gone)).toEqual(removable);
      own.clock.halt(HOUR_MS);
      await purge();
      expect(await tablesWith(gone)).toEqual([]);
      expect(purged).toContainEqual({ communityId: gone.id, channelId: gone.channelId });
      const found = findCommunity(own.ctx, ada, { id: gone.id });
      expect(await failureOf(found)).toEqual(new NotFoundError());
      expect(await tablesWith(kept)).toEqual(removable);
      await purge();
    });

    test('the rows of each table are found by an index', async () => {
      const trial = trialDatabase(own.database);
      const { signal } = new AbortController();
      for (const of of ['community', 'channel'] as const) {
        await purgeRows(trial, TABLES, { of, id: NO_ID, signal });
      }
      const queries = trial.takeQueries();
      expect(queries.length).toBeGreaterThanOrEqual(removable.length);
      expect(scansOf(own.database, queries)).toEqual([]);
    });

    test('everything that was in a deleted channel is removed, and the rest of the community is kept', async () => {
      const place = await filled();
      await createChannel(own.ctx, ada, { community_id: place.id, kind: 'messages', name: 'y' });
      await deleteChannel(own.ctx, ada, { id: place.channelId });
      purged.length = 0;
      await purge();
      expect(purged).toEqual([]);
      own.clock.halt(HOUR_MS);
      await purge();
      expect(purged).toEqual([{ communityId: place.id, channelId: place.channelId }]);
      const ofChannels = TABLES_BY_NAME.filter(
        ([, { removedWith = {} }]) => removedWith.channel !== undefined,
      ).map(([name]) => name);
      expect(await tablesWith(place)).toEqual(
        removable.filter((name) => !ofChannels.includes(name)),
      );
    });
  });
});
