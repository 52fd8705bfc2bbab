import {
  channelSchema,
  commentSchema,
  ownCommunitySchema,
  postSchema,
} from '@hearth/protocol/schemas';
import { AccountClient } from '@hearth/testing/clients/account-client';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { Cluster } from '@hearth/testing/instances/cluster';
import { addUsers } from '@hearth/testing/instances/many-users';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import { rebuildCounters } from '../src/features/forum/counters/rebuild-counters.ts';
import { deleteUser } from '../src/features/accounts/manage-users/delete-user.ts';
import type { OwnerContext } from '../src/instance.ts';
import { errorCode } from '../src/lib/error-code.ts';
import { askingAs } from './support/asking-as.ts';
import { Choices } from './support/chaos/choices.ts';

const VOTERS = 64;
const VOTES_EACH = 4;
const DELETED = 8;
const MOST_RETRIES = 10;

/** Deletes an account. A deletion that a busy machine ended is made again. */
async function deleteInTime(ctx: OwnerContext, user: string): Promise<void> {
  for (let count = 0; ; count += 1) {
    try {
      await deleteUser(ctx, OWNER, { user, content: 'keep' });
      return;
    } catch (error) {
      if (errorCode(error) !== 'ETIMEDOUT' || count === MOST_RETRIES) throw error;
    }
  }
}

describe.skipIf(areServersMissing)('votes on several processes', () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await sharedServers();
  });
  afterAll(() => servers[Symbol.asyncDispose]());

  test('[VO2][VO9] the totals equal the votes after 64 people voted at once, and some of them deleted their accounts meanwhile', async () => {
    const environment = await servers.newInstance();
    await using cluster = await Cluster.start(environment, { gateways: 0 });
    const tokens = await asOwner({ servers: environment }, async ({ database }) => {
      const signed = await addUsers(database, VOTERS);
      // Votes of new accounts give no points.
      await database.transaction(({ sql }) =>
        sql.updateTable('users').set({ created_at_ms: 0 }).execute(),
      );
      return signed;
    });
    const seed = Date.now();
    const choices = new Choices(seed);
    const ask = askingAs(cluster, tokens);
    const made = async (path: string, body: object) => (await ask(0, 'POST', path, body)).json;
    const given = { name: 'Votes', slug: 'votes', visibility: 'public', join: 'open' };
    const { id } = ownCommunitySchema.parse(await made('/communities', given));
    const asked = { kind: 'posts', name: 'Posts' };
    const channel = channelSchema.parse(await made(`/communities/${id}/channels`, asked));
    const post = postSchema.parse(await made(`/channels/${channel.id}/posts`, { title: 'Which?' }));
    const comment = commentSchema.parse(
      await made(`/posts/${post.id}/comments`, { content: 'This' }),
    );
    const statuses = new Set<number>();
    const voting = Array.from({ length: VOTERS }, async (_, voter) => {
      for (let count = 0; count < VOTES_EACH; count += 1) {
        const place = choices.of([`/posts/${post.id}`, `/comments/${comment.id}`]);
        const value = choices.of([1, 0, -1]);
        const { status } = await ask(voter, 'PUT', `${place}/vote`, { value });
        statuses.add(status);
      }
    });
    const deleting = asOwner({ servers: environment }, async (ctx) => {
      for (let voter = VOTERS - DELETED; voter < VOTERS; voter += 1) {
        await deleteInTime(ctx, `user${voter}`);
      }
    });
    await Promise.all([...voting, deleting]);
    expect([seed, [...statuses].filter((status) => status !== 200 && status !== 401)]).toEqual([
      seed,
      [],
    ]);
    await asOwner({ servers: environment }, async (ctx) => {
      const { reader } = ctx.database;
      await until(async () => {
        const left = await reader
          .selectFrom('votes')
          .innerJoin('users', (join) =>
            join.on((eb) =>
              eb(
                eb.fn('lpad', ['users.id', eb.lit(39), eb.val('0')]),
                '=',
                eb.ref('votes.user_id'),
              ),
            ),
          )
          .select('votes.user_id')
          .where('users.state', '=', 'deleted')
          .execute();
        return left.length === 0;
      });
      const votes = await reader.selectFrom('votes').select(['subject_id', 'value']).execute();
      const { upvotes, downvotes } = await reader
        .selectFrom('posts')
        .select(['upvotes', 'downvotes'])
        .executeTakeFirstOrThrow();
      const forPost = votes.filter(({ subject_id: subject }) => subject.endsWith(post.id));
      const up = forPost.filter(({ value }) => Number(value) === 1).length;
      expect([seed, upvotes, downvotes].map(Number)).toEqual([seed, up, forPost.length - up]);
      const none = { posts: 0, comments: 0, polls: 0, points: 0 };
      expect(await rebuildCounters(ctx, OWNER)).toEqual(none);
    });
  });

  test('[VO8] watchers at each gateway are sent the last totals of all processes, and not those of each vote', async () => {
    const environment = await servers.newInstance();
    await using cluster = await Cluster.start(environment);
    const tokens = await asOwner({ servers: environment }, ({ database }) =>
      addUsers(database, VOTERS),
    );
    const asking = askingAs(cluster, tokens);
    const ask = async (voter: number, method: string, path: string, body: object) => {
      const { status, json } = await asking(voter, method, path, body);
      expect([path, status]).toEqual([path, 200]);
      return json;
    };
    const given = { name: 'Watched', slug: 'watched', visibility: 'public', join: 'open' };
    const { id } = ownCommunitySchema.parse(await ask(0, 'POST', '/communities', given));
    const asked = { kind: 'posts', name: 'Posts' };
    const channel = channelSchema.parse(await ask(0, 'POST', `/communities/${id}/channels`, asked));
    const written = await ask(0, 'POST', `/channels/${channel.id}/posts`, { title: 'Which?' });
    const post = postSchema.parse(written);
    const watch = async (gateway: number) => {
      const client = await AccountClient.enter(cluster.at({ gateway }), {
        token: tokens[gateway] ?? '',
      });
      client.raw.sendText(
        JSON.stringify({ op: 'WATCH', d: { communities: [id], posts: [post.id] } }),
      );
      const watched = () => client.payloads.find((payload) => payload.op === 'WATCHED');
      await client.raw.until(() => watched() !== undefined);
      expect(watched()?.d.posts).toEqual([post.id]);
      return client;
    };
    using first = await watch(0);
    using second = await watch(1);
    const scores = ({ payloads }: AccountClient) =>
      payloads.flatMap((payload) => (payload.op === 'SCORE_UPDATE' ? [payload.d.score] : []));
    await Promise.all(
      tokens.map((_, voter) => ask(voter, 'PUT', `/posts/${post.id}/vote`, { value: 1 })),
    );
    for (const client of [first, second]) {
      await client.raw.until(() => scores(client).at(-1) === VOTERS);
    }
    expect(scores(first)).toEqual(scores(second));
    expect(scores(first).length).toBeLessThan(VOTERS / 2);
  });
});
