import { SEARCHED, type FoundAnywhere, type Id, type SearchFacets } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { indexSearch } from '@hearth/testing/instances/index-search';
import { runs } from '@hearth/testing/runs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ANYONE, type Account, type Actor } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { jsonLogger } from '../../../log/logger.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { NamedFiles } from '../../files/uploads/named-files.ts';
import { createComment } from '../../forum/comments/create-comment.ts';
import { deleteComment } from '../../forum/comments/delete-comment.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { deletePost } from '../../forum/posts/delete-post.ts';
import { openHistory, type History } from '../../talk/lobby/history.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { searchAll, searchFacets } from './search.ts';

const log = jsonLogger('silent', () => {});
const WORDS = ['oak', 'oaken', 'elm', 'fir'];
const GUESTS = ['Wren', 'wren', 'Robin'];
const GARDENS = 2;

const index = fc.nat({ max: 1_000 });
const one = fc.record({
  kind: fc.constantFrom('lobby', 'messages', 'messages', 'posts', 'comments', 'remove'),
  text: fc.subarray(WORDS, { minLength: 1 }).map((words) => words.join(' ')),
  by: index,
  at: index,
});
const query = fc.record({
  q: fc.constantFrom('oak', 'oa', '"elm"', 'oak fir', 'none'),
  kind: fc.constantFrom(undefined, ...SEARCHED),
  from: fc.constantFrom(undefined, undefined, 'ada', 'WREN'),
  by: index,
  where: index,
  before: fc.option(index, { nil: undefined }),
});

type Written = typeof one extends fc.Arbitrary<infer Value> ? Value : never;

/** The hits of a list, counted as SE26a says. */
function countedIn(found: readonly FoundAnywhere[]): Pick<SearchFacets, 'total' | 'kinds'> & {
  readonly places: readonly (readonly [string, number])[];
  readonly authors: readonly (readonly [string, number])[];
} {
  const things = found.map((each) => {
    if (each.kind === 'posts') return each.post;
    return each.kind === 'comments' ? each.comment : each.message;
  });
  const kinds = tally(found.map(({ kind }) => kind)).map(([kind, count]) => ({ kind, count }));
  const places = tally(things.map((each) => ('channel_id' in each ? each.channel_id : 'lobby')));
  const authors = tally(
    things.map(
      (each) => each.user?.username ?? ('author' in each ? each.author.toLowerCase() : ''),
    ),
  );
  return { total: found.length, kinds, places, authors };
}

/** Counts each value of a list, the most frequent one first, and of equal ones the first. */
function tally<Value>(values: readonly Value[]): readonly (readonly [Value, number])[] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, all]) => [value, all.length] as const)
    .toSorted(([, first], [, second]) => second - first);
}

onEachDatabase((open) => {
  describe('[SE26][SE27] counts', () => {
    let own: CommunityTest;
    let history: History;
    let ctx: InstanceContext;
    let people: readonly Account[];
    let gardens: readonly Id[];
    /** Channels of both communities, by turns one with messages and one with posts; somebody does not see the last ones. */
    let channels: readonly { readonly id: Id; readonly kind: 'messages' | 'posts' }[];

    beforeAll(async () => {
      own = await communityTest(open);
      const { database, clock } = own;
      history = await openHistory({ database, clock, log, bounds: { messages: 10_000, days: 30 } });
      const namedFiles = new NamedFiles({ database: own.ctx.database, fileAddresses: [] });
      ctx = { ...own.ctx, history, namedFiles };
      const [ada, bob] = [await own.person('ada'), await own.person('bob')];
      people = [ada, bob];
      const made = [];
      const ids: Id[] = [];
      for (let at = 0; at < GARDENS; at += 1) {
        const { id } = await own.garden(ada, { visibility: 'public' });
        ids.push(id);
        await joinCommunity(ctx, bob, { community_id: id });
        for (const [name, kind] of [
          ['talk', 'messages'],
          ['trees', 'posts'],
          ['secret-talk', 'messages'],
          ['secret-trees', 'posts'],
        ] as const) {
          const channel = await createChannel(ctx, ada, { community_id: id, kind, name });
          made.push({ id: channel.id, kind });
          const everyone = { id: channel.id, subject_id: id, kind: 'role' } as const;
          if (name.startsWith('secret')) {
            await setOverwrite(ctx, ada, { ...everyone, allow: [], deny: ['VIEW'] });
          }
        }
      }
      [channels, gardens] = [made, ids];
    });
    afterAll(async () => {
      await history[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    });

    const pick = <Value>(from: readonly Value[], at: number): Value =>
      from[at % from.length] ?? expect.unreachable();

    /** Writes or removes one thing, and keeps what may be removed or commented on. */
    async function write(
      { kind, text, by, at }: Written,
      kept: { posts: Id[]; removers: (() => Promise<unknown>)[] },
    ): Promise<void> {
      const [ada] = people;
      if (ada === undefined) return;
      const person = pick(people, by);
      // Only ada sees the secret channels.
      const seen = channels.filter((_, index) => person === ada || index % 4 < 2);
      const to = pick(
        seen.filter((channel) => channel.kind === (kind === 'messages' ? 'messages' : 'posts')),
        at,
      ).id;
      switch (kind) {
        case 'lobby': {
          const [id, author] = [await ctx.ids.next(), pick(GUESTS, by)];
          history.append({ id, author, content: text, created_at: own.clock.unixMs() });
          return;
        }
        case 'messages': {
          const { id } = await postMessage(ctx, person, { channel_id: to, content: text });
          kept.removers.push(() => deleteChannelMessage(ctx, ada, { channel_id: to, id }));
          return;
        }
        case 'posts': {
          const { id } = await createPost(ctx, person, { channel_id: to, title: text });
          kept.posts.push(id);
          kept.removers.push(async () => {
            kept.posts.splice(kept.posts.indexOf(id), 1);
            await deletePost(ctx, ada, { id });
          });
          return;
        }
        case 'comments': {
          if (kept.posts.length === 0) return;
          const post_id = pick(kept.posts, at);
          const { id } = await createComment(ctx, ada, { post_id, content: text });
          kept.removers.push(async () => {
            if (kept.posts.includes(post_id)) await deleteComment(ctx, ada, { id });
          });
          return;
        }
        case 'remove':
          await kept.removers.splice(at % (kept.removers.length || 1), 1)[0]?.();
      }
    }

    test('they are those of all that the search finds, page by page, for everyone and everywhere', async () => {
      const kept = { posts: [], removers: [] };
      await fc.assert(
        fc.asyncProperty(
          fc.array(one, { minLength: 10, maxLength: 30 }),
          fc.array(query, { minLength: 6, maxLength: 10 }),
          async (writes, queries) => {
            for (const each of writes) await write(each, kept);
            await history.flush();
            await indexSearch(ctx);
            for (const { by, where, before: share, kind, ...given } of queries) {
              const actor: Actor = pick([...people, ANYONE], by);
              const places = [
                { in: 'all' as const },
                ...gardens.map((community) => ({ community })),
                ...(kind === 'posts' || kind === 'comments' ? [] : [{ in: 'lobby' as const }]),
                ...channels
                  .filter((channel, at) => at % 4 < 2 && (kind ?? 'all') === 'all')
                  .map(({ id }) => ({ in: id })),
              ];
              const input = { ...given, ...pick(places, where) };
              const all: FoundAnywhere[] = [];
              for (let before: Id | undefined; ;) {
                const page = await searchAll(ctx, actor, { ...input, before, limit: 11 });
                all.push(...page.found);
                before = page.found.length === 11 ? all.at(-1)?.id : page.stoppedAt;
                if (before === undefined) break;
              }
              const before = share === undefined ? undefined : all[share % (all.length || 1)]?.id;
              const end = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
              const ofKind = (each: FoundAnywhere) =>
                (kind ?? 'all') === 'all' || each.kind === kind;
              const expected = countedIn(all.slice(end).filter(ofKind));
              const { facets } = await searchFacets(ctx, actor, { ...input, kind, before });
              const { places: found, authors, more, ...counts } = facets;
              expect(more).toBeUndefined();
              expect({
                ...counts,
                places: found.map(({ place, count }) => [place, count]),
                authors: authors.map(({ author, count }) => [author.toLowerCase(), count]),
              } as object).toEqual(expected);
            }
          },
        ),
        { numRuns: runs(2, 5) },
      );
    }, 120_000);
  });
});
