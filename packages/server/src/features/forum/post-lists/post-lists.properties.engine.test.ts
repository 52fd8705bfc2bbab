import { formatId, type Id, type Post, type PostQuery } from '@hearth/protocol';
import { newRoleSchema, POST_SORTS, postQuerySchema } from '@hearth/protocol/schemas';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { runs } from '@hearth/testing/runs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import {
  removePosts,
  writePosts,
  writeVotes,
  type WrittenPost,
} from '@hearth/testing/listed-posts';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ANYONE, type Actor, type Account } from '../../../actor.ts';
import type { Page } from '../../../page.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { accessToChannel } from '../../communities/structure/access.ts';
import { changeMember } from '../../communities/members/change-member.ts';
import { lockCommunity } from '../../communities/structure/lock-community.ts';
import { enter } from '../../communities/members/enter.ts';
import { createRole } from '../../communities/roles/create-role.ts';
import { listCommunityPosts, listFeed } from './list-posts.ts';
import { listUserPosts } from './list-user-posts.ts';

const overwrite = fc.constantFrom('none', 'hide all', 'hide role', 'only role');
const community = fc.record({
  visibility: fc.constantFrom('public', 'unlisted', 'private'),
  channels: fc.array(overwrite, { minLength: 1, maxLength: 4 }),
  // Of each reader: whether they are a member, and whether they have the role.
  members: fc.array(fc.constantFrom('no', 'member', 'role'), { minLength: 3, maxLength: 3 }),
});
const world = fc.record({
  communities: fc.array(community, { minLength: 1, maxLength: 3 }),
  posts: fc.array(fc.tuple(fc.nat({ max: 11 }), fc.nat({ max: 5 }), fc.nat({ max: 5 })), {
    maxLength: 40,
  }),
  limit: fc.integer({ min: 1, max: 7 }),
});

type CommunityPlan = typeof community extends fc.Arbitrary<infer Value> ? Value : never;

interface Channel {
  readonly id: Id;
  readonly communityId: Id;
  readonly visibility: string;
}

onEachDatabase((open) => {
  let own: CommunityTest;
  let owner: Account;
  let readers: readonly Account[];
  let sequence = 0;
  beforeAll(async () => {
    own = await communityTest(open);
    owner = await own.person('flora');
    readers = [await own.person('ada'), await own.person('bob'), await own.person('eve')];
  });
  afterAll(() => own[Symbol.asyncDispose]());

  const queryOf = (input: object): PostQuery => postQuerySchema.parse(input);

  async function makeCommunity({ visibility, channels, members }: CommunityPlan) {
    const { ctx } = own;
    // Guarantee: one of the values above.
    const { id: communityId } = await own.garden(owner, { visibility: visibility as 'public' });
    const role = await createRole(ctx, owner, {
      community_id: communityId,
      ...newRoleSchema.parse({ name: 'gardeners' }),
    });
    for (const [at, state] of members.entries()) {
      const reader = readers[at];
      if (state === 'no' || reader === undefined) continue;
      await ctx.database.transaction(async (tx) => {
        await lockCommunity(tx, communityId);
        return await enter(tx, ctx, { communityId, userId: reader.user_id });
      });
      const path = { community_id: communityId, user_id: reader.user_id };
      if (state === 'role') await changeMember(ctx, owner, { ...path, role_ids: [role.id] });
    }
    const made: Channel[] = [];
    for (const [at, hidden] of channels.entries()) {
      const given = { community_id: communityId, kind: 'posts', name: `news-${at}` } as const;
      const { id } = await createChannel(ctx, owner, given);
      const set = (subject_id: Id, allow: 'VIEW'[], deny: 'VIEW'[]) =>
        setOverwrite(ctx, owner, { id, subject_id, kind: 'role', allow, deny });
      if (hidden === 'hide all' || hidden === 'only role') await set(communityId, [], ['VIEW']);
      if (hidden === 'hide role') await set(role.id, [], ['VIEW']);
      if (hidden === 'only role') await set(role.id, ['VIEW'], []);
      made.push({ id, communityId, visibility });
    }
    return made;
  }

  async function allPages(
    list: (cursor?: string) => Promise<Page<Post>>,
    between = async () => {},
  ) {
    const found: Id[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await list(cursor);
      found.push(...page.entries.map(({ id }) => id));
      cursor = page.cursor;
      if (cursor === undefined) return found;
      await between();
    }
  }

  test('[LS16] every list has what the caller may see, and nothing else, each post once', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ communities, posts, limit }) => {
        const { ctx } = own;
        const channels: Channel[] = [];
        for (const each of communities) channels.push(...(await makeCommunity(each)));
        const author = await own.person(`author${sequence}`);
        const written = posts.map(([at, upvotes, downvotes], index): WrittenPost => {
          sequence += 1;
          const channel = channels[at % channels.length];
          const place = { channelId: channel?.id ?? author.user_id };
          const id = formatId({ seconds: 100 + index, instanceId: 1, sequence });
          const communityId = channel?.communityId ?? author.user_id;
          const totals = { upvotes, downvotes };
          return { id, ...place, communityId, userId: author.user_id, createdAtMs: 1, ...totals };
        });
        await writePosts(own.database, written);
        sequence += 1;
        for (const reader of [ANYONE, ...readers, owner]) {
          const sees = new Set<Id>();
          const belongs = new Set<Id>();
          for (const { id, communityId } of channels) {
            const access = await Promise.try(() => accessToChannel(ctx, reader, id)).catch(
              () => undefined,
            );
            if (access !== undefined) sees.add(id);
            if (access?.member !== undefined) belongs.add(communityId);
          }
          const idsIn = (is: (channel: Channel) => boolean) => {
            const shown = new Set(channels.filter(is).map(({ id }) => id));
            const ids = written.filter(({ channelId }) => shown.has(channelId));
            return ids.map(({ id }) => id).toSorted();
          };
          await checkLists(reader, { sees, belongs, idsIn, channels, author, limit });
        }
        if (written.length > 0)
          await removePosts(
            own.database,
            written.map(({ id }) => id),
          );
      }),
      { numRuns: runs(4, 2) },
    );
  }, 120_000);

  async function checkLists(
    reader: Actor,
    {
      sees,
      belongs,
      idsIn,
      channels,
      author,
      limit,
    }: {
      readonly sees: ReadonlySet<Id>;
      readonly belongs: ReadonlySet<Id>;
      readonly idsIn: (is: (channel: Channel) => boolean) => readonly Id[];
      readonly channels: readonly Channel[];
      readonly author: Account;
      readonly limit: number;
    },
  ): Promise<void> {
    const { ctx } = own;
    const page = { limit: String(limit) };
    for (const sort of POST_SORTS) {
      for (const communityId of new Set(channels.map((each) => each.communityId))) {
        const isVisible = channels.some(
          (each) => each.communityId === communityId && sees.has(each.id),
        );
        if (!isVisible) continue;
        const found = await allPages((cursor) => {
          const query = queryOf({ sort, ...page, cursor });
          return listCommunityPosts(ctx, reader, { community_id: communityId, ...query });
        });
        const expected = idsIn((each) => each.communityId === communityId && sees.has(each.id));
        expect(found.toSorted()).toEqual([...expected]);
      }
      if (reader.kind !== 'account') continue;
      const feed = await allPages((cursor) =>
        listFeed(ctx, reader, queryOf({ sort, ...page, cursor })),
      );
      const expected = idsIn((each) => belongs.has(each.communityId) && sees.has(each.id));
      expect(feed.toSorted()).toEqual([...expected]);
    }
    const profile = await allPages((cursor) =>
      listUserPosts(ctx, reader, { id: author.user_id, limit, cursor }),
    );
    const isOpen = (each: Channel) => each.visibility === 'public' || belongs.has(each.communityId);
    expect(profile.toSorted()).toEqual([...idsIn((each) => sees.has(each.id) && isOpen(each))]);
  }

  test('[LS7] while votes arrive, the pages have each post once and in the order of the first page', async () => {
    const { ctx } = own;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 4 })), { minLength: 1, maxLength: 40 }),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 9 })), { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom('hot', 'active', 'top', 'controversial'),
        async (posts, votes, limit, sort) => {
          const { id: communityId } = await own.garden(owner);
          const channels: Id[] = [];
          for (const name of ['one', 'two', 'three']) {
            const given = { community_id: communityId, kind: 'posts', name } as const;
            channels.push((await createChannel(ctx, owner, given)).id);
          }
          const written = posts.map(([at, upvotes], index): WrittenPost => {
            sequence += 1;
            const id = formatId({ seconds: 100 + index, instanceId: 1, sequence });
            const channelId = channels[at] ?? communityId;
            const createdAtMs = index * 1_000;
            return { id, channelId, communityId, userId: owner.user_id, createdAtMs, upvotes };
          });
          await writePosts(own.database, written);
          const list = (query: PostQuery) =>
            listCommunityPosts(ctx, owner, { community_id: communityId, ...query });
          const whole = await list(queryOf({ sort, limit: '100' }));
          const found = await allPages(
            (cursor) => list(queryOf({ sort, limit: String(limit), cursor })),
            async () => {
              for (const [at, upvotes] of votes) {
                const post = written[at % written.length];
                if (post !== undefined) await writeVotes(own.database, { ...post, upvotes });
              }
            },
          );
          expect(found).toEqual(whole.entries.map(({ id }) => id));
          expect(found.toSorted()).toEqual(written.map(({ id }) => id).toSorted());
        },
      ),
      { numRuns: runs(6, 2) },
    );
  }, 120_000);
});
