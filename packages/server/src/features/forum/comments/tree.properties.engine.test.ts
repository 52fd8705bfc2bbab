import type { CommentSort, Id } from '@hearth/protocol';
import { COMMENT_SORTS, MOST_SHOWN_REPLIES } from '@hearth/protocol/schemas';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { seedComments, type SeededComment } from '@hearth/testing/seeded-comments';
import { storePost, type StoredPlace } from '@hearth/testing/stored-posts';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { PostOrders } from '../post-lists/post-orders.ts';
import { controversyOf } from '../posts/ranks.ts';
import { voteComment } from '../voting/cast-vote.ts';
import { createComment } from './create-comment.ts';
import { deleteComment } from './delete-comment.ts';
import { listComments } from './list-comments.ts';
import { ShownPages } from './shown-pages.ts';
import type { StoredComment } from './stored-comment.ts';

/** Small numbers, so that many are equal. */
const MOST_VOTES = 4;

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A tree in which some comments have many replies. */
function randomTree(below: (most: number) => number, size: number): SeededComment[] {
  return Array.from({ length: size }, (_, index) => {
    const near = Math.max(0, index - 1 - below(12));
    const isRoot = index === 0 || below(4) === 0;
    const parent = isRoot ? undefined : below(3) === 0 ? Math.min(index - 1, 2) : near;
    return { parent, upvotes: below(MOST_VOTES), downvotes: below(MOST_VOTES) };
  });
}

/** The order of siblings, written another way than in the code. */
function ranked(all: readonly StoredComment[], sort: CommentSort): readonly StoredComment[] {
  const key = (comment: StoredComment): readonly [number, number] => {
    switch (sort) {
      case 'old':
        return [0, comment.number];
      case 'new':
        return [0, -comment.number];
      case 'top':
        return [comment.downvotes - comment.upvotes, -comment.number];
      case 'controversial':
        return [-controversyOf(comment.upvotes, comment.downvotes), -comment.number];
    }
  };
  return all.toSorted((one, other) => {
    const [[a, b], [c, d]] = [key(one), key(other)];
    return a - c || b - d;
  });
}

interface Shown {
  readonly sort: CommentSort;
  readonly depth: number;
  readonly limit: number;
}

/** All pages, made from the whole tree. */
function pagesInMemory(
  all: readonly StoredComment[],
  top: Id | '',
  { sort, depth, limit }: Shown,
): Id[][] {
  const below = (parent: Id | '') =>
    ranked(
      all.filter((each) => each.parentId === parent),
      sort,
    );
  const whole = (comment: StoredComment, levels: number): StoredComment[] => [
    comment,
    ...(levels > 1
      ? below(comment.id)
          .slice(0, MOST_SHOWN_REPLIES)
          .flatMap((each) => whole(each, levels - 1))
      : []),
  ];
  const pages: Id[][] = [];
  for (let roots = below(top); roots.length > 0;) {
    const page = roots.flatMap((each) => whole(each, depth)).slice(0, limit);
    const count = page.filter(({ parentId }) => parentId === top).length;
    pages.push(page.map(({ id }) => id));
    roots = roots.slice(count);
  }
  return pages.length === 0 ? [[]] : pages;
}

onEachDatabase((open) => {
  describe('a tree of comments', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let place: Omit<StoredPlace, 'id'>;
    let next = 700_000_000_000n;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      const garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      const input = { community_id: garden.id, kind: 'posts', name: 'posts' } as const;
      const channel = await createChannel(own.ctx, ada, input);
      const createdAtMs = own.clock.unixMs();
      place = { channelId: channel.id, communityId: garden.id, userId: ada.user_id, createdAtMs };
    });
    afterAll(() => own[Symbol.asyncDispose]());

    async function plant(comments: readonly SeededComment[]) {
      next += 10_000n;
      const post = { ...place, id: String(next) as Id };
      await storePost(own.database, post);
      const given = { comments, firstId: next + 1n, controversyOf };
      return { post, all: await seedComments(own.database, post, given) };
    }

    async function pages(
      query: Shown & { readonly post_id: Id; readonly under?: Id },
      between: () => Promise<void> = async () => undefined,
    ): Promise<Id[][]> {
      const found: Id[][] = [];
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined;) {
        const asked = { ...query, ...(cursor && { cursor }) };
        const page = await listComments(own.ctx, ada, asked);
        found.push(page.entries.map(({ id }) => id));
        // What is remembered of a page is the same.
        expect(await listComments(own.ctx, ada, asked)).toEqual(page);
        cursor = page.cursor;
        isFirst = false;
        await between();
      }
      return found;
    }

    test('[CT17][CT17a][CT17b] pages of a tree equal those that are made from the whole tree, in every order', async () => {
      const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
      const below = randomNumbers(seed);
      for (let round = 0; round < 12; round += 1) {
        const { post, all } = await plant(randomTree(below, 1 + below(160)));
        for (const sort of COMMENT_SORTS) {
          const shown = { sort, depth: 1 + below(9), limit: 1 + below(40) };
          const under = below(3) === 0 ? all[below(all.length)]?.id : undefined;
          const found = await pages({ ...shown, post_id: post.id, ...(under && { under }) });
          const about = `seed ${seed}, round ${round}, ${JSON.stringify(shown)}, under ${under}`;
          expect([about, found]).toEqual([about, pagesInMemory(all, under ?? '', shown)]);
        }
      }
    });

    test('[CT18] all pages together have each comment on the post once while votes arrive', async () => {
      const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
      const below = randomNumbers(seed);
      for (const sort of COMMENT_SORTS) {
        const tree = randomTree(below, 80).map((each) => ({ ...each, parent: undefined }));
        const { post, all } = await plant(tree);
        const vote = () =>
          own.database.transaction(async ({ sql }) => {
            for (let count = 0; count < 20; count += 1) {
              const comment = all[below(all.length)];
              const [upvotes, downvotes] = [below(9), below(9)];
              const controversial = controversyOf(upvotes, downvotes);
              await sql
                .updateTable('comments')
                .set({ upvotes, downvotes, score: upvotes - downvotes, controversial })
                .where('id', '=', comment?.id ?? post.id)
                .execute();
            }
          });
        const found = await pages({ post_id: post.id, sort, depth: 1, limit: 7 }, vote);
        const ids = all.map(({ id }) => id);
        expect([seed, found.flat().toSorted()]).toEqual([seed, ids.toSorted()]);
      }
    });

    describe('that does not fit on a page', () => {
      const query = { sort: 'top', depth: 8, limit: 4 } as const;
      let post: StoredPlace;
      let all: readonly StoredComment[];

      beforeEach(async () => {
        const best = { parent: undefined, upvotes: 9, downvotes: 0 };
        const reply = { parent: 0, upvotes: 0, downvotes: 0 };
        const last = { parent: undefined, upvotes: 0, downvotes: 0 };
        ({ post, all } = await plant([best, reply, reply, last, last, last]));
      });

      const first = async () =>
        (await listComments(own.ctx, ada, { ...query, post_id: post.id })).entries;
      const numbers = async () => {
        const byId = new Map(all.map(({ id, number }) => [id, number]));
        return (await first()).map(({ id }) => byId.get(id) ?? id);
      };
      const vote = (number: number) =>
        voteComment(own.ctx, bob, { id: all[number - 1]?.id ?? post.id, value: 1 });

      test('[CT18][CT18a] votes are shown at once, and change the places of comments within a minute', async () => {
        expect(await numbers()).toEqual([1, 3, 2, 6]);
        await vote(2);
        expect(await numbers()).toEqual([1, 3, 2, 6]);
        expect((await first()).map(({ upvotes }) => upvotes)).toEqual([9, 0, 1, 0]);
        own.clock.advance(60_000);
        expect(await numbers()).toEqual([1, 2, 3, 6]);
      });

      test('[CT18] votes change a page within a minute, although others share its order before', async () => {
        const given = { ...query, post_id: post.id };
        await listComments(own.ctx, ada, { ...given, limit: 3 });
        await vote(4);
        own.clock.advance(59_000);
        expect(await numbers()).toEqual([1, 3, 2, 6]);
        own.clock.advance(1_000);
        expect(await numbers()).toEqual([1, 3, 2, 4]);
      });

      test('[CT18][CT18a] comments that come and go change a page at once', async () => {
        expect(await numbers()).toEqual([1, 3, 2, 6]);
        const parent = all[2]?.id ?? post.id;
        const given = { post_id: post.id, parent_id: parent, content: 'New' };
        const added = await createComment(own.ctx, bob, given);
        expect(await numbers()).toEqual([1, 3, added.id, 2]);
        await deleteComment(own.ctx, bob, { id: added.id });
        expect(await numbers()).toEqual([1, 3, 2, 6]);
      });

      test('[CT18] a comment that goes when another one comes is not on a page', async () => {
        const added = await createComment(own.ctx, bob, { post_id: post.id, content: 'New' });
        own.clock.advance(60_000);
        const shown = await first();
        await deleteComment(own.ctx, bob, { id: added.id });
        // As if the post were read before and the comments after that.
        spyOn(own.ctx.shownPages, 'find').mockReturnValueOnce({
          ids: shown.map(({ id }) => id),
          cursor: undefined,
          madeAtMs: own.clock.unixMs(),
        });
        expect(await numbers()).toEqual([1, 3, 2, 6]);
      });
    });

    test('[CT19] comments beyond the first thousand by votes follow, the newest first, each once', async () => {
      const below = randomNumbers(7);
      const tree = Array.from({ length: 1_230 }, () => {
        return { parent: undefined, upvotes: below(30), downvotes: below(30) };
      });
      const { post, all } = await plant(tree);
      const found = (await pages({ post_id: post.id, sort: 'top', depth: 2, limit: 100 })).flat();
      const first = ranked(all, 'top').slice(0, 1_000);
      const others = ranked(
        all.filter((each) => !first.includes(each)),
        'new',
      );
      expect(found).toEqual([...first, ...others].map(({ id }) => id));
    });

    test('[CT20] a cursor of another order, of another place or of none is refused', async () => {
      const tree = Array.from({ length: 5 }, () => ({
        parent: undefined,
        upvotes: 0,
        downvotes: 0,
      }));
      const [one, other] = [await plant(tree), await plant(tree)];
      const query = { post_id: one.post.id, sort: 'top', depth: 1, limit: 2 } as const;
      const { cursor = '' } = await listComments(own.ctx, ada, query);
      const refused = { status: 422, data: { field_name: 'cursor' } };
      const elsewhere = [
        { ...query, sort: 'new', cursor } as const,
        { ...query, sort: 'controversial', cursor } as const,
        { ...query, post_id: other.post.id, cursor },
        { ...query, cursor: 'nothing' },
      ];
      for (const each of elsewhere) {
        const error = await listComments(own.ctx, ada, each).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject(refused);
      }
      own.clock.advance(16 * 60_000);
      const late = listComments(own.ctx, ada, { ...query, cursor }).catch(
        (error: unknown) => error,
      );
      expect(await late).toMatchObject(refused);
      const under = { ...query, under: other.all[0]?.id ?? one.post.id };
      const strange = await listComments(own.ctx, ada, under).catch((error: unknown) => error);
      expect(strange).toMatchObject({ status: 422, data: { field_name: 'under' } });
    });

    test('[CT20][SC27] after the clock was set back, pages begin with a new order, whose cursor is read', async () => {
      const none = { parent: undefined, upvotes: 0, downvotes: 0 };
      const { post } = await plant(Array.from({ length: 5 }, () => none));
      const query = { post_id: post.id, sort: 'top', depth: 1, limit: 2 } as const;
      await listComments(own.ctx, ada, query);
      own.clock.setUnixMs(own.clock.unixMs() - 3_600_000);
      const other = { ...own.ctx, postOrders: new PostOrders(), shownPages: new ShownPages() };
      const { cursor = '' } = await listComments(other, ada, query);
      const { entries } = await listComments(other, ada, { ...query, cursor });
      expect(entries).toHaveLength(2);
    });
  });
});
