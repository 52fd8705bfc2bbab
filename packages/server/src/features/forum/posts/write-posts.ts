import type { Post } from '@hearth/protocol';
import { emittedAt, inChannel, requireMember } from '../../talk/places/places.ts';
import { placeOf, takeTurns, writing } from '../../talk/writing/writing.ts';
import { addPolls } from '../polls/polls.ts';
import { insertPostFiles, insertPosts, insertTags } from './store.ts';
import { postInEvents } from './post-in-events.ts';
import { placedOf, type PlacedPost, type PostDraft } from './post-draft.ts';
import { showPreviews } from './previews.ts';
import { holdElsewhere, lockSources, withCommunities, writeElsewhere } from './write-elsewhere.ts';
import type { ReachingPost } from './write-elsewhere.ts';

/** Writes posts to any channels, with what they change in channels with messages. */
export const writePosts = writing<PostDraft, ReachingPost, Post>({
  nonceIn: placeOf,
  indexedAs: 'posts',
  isUnread: true,
  postOf: ({ id }) => id,
  async place(tx, entries, now) {
    await holdElsewhere(tx, entries);
    const placed = (await takeTurns(tx, entries, now)).map(placedOf);
    return await withCommunities(tx, now.ctx, placed);
  },
  insert: (tx, placed) => insertPosts(tx, placed.map(memberOf)),
  check: lockSources,
  async send(tx, placed, { ctx }) {
    const all = placed.map(({ post }) => post);
    await insertPostFiles(tx, all);
    await insertTags(tx, all);
    const polls = await addPolls(
      tx,
      placed.flatMap(({ post, draft: { poll } }) => (poll === undefined ? [] : [{ post, poll }])),
    );
    await showPreviews(
      tx,
      ctx,
      placed.map(({ post, turning: { access } }) => ({ post, access })),
    );
    const posts: Post[] = [];
    for (const each of placed) {
      const { post, draft, turning, number } = each;
      const links = new Map(draft.links && [[post.id, draft.links]]);
      const described = postInEvents(post, { ...draft.named, links, polls });
      const d = draft.nonce === '' ? described : { ...described, nonce: draft.nonce };
      const { place } = turning.access;
      await tx.emitAll([emittedAt({ place, number }, { op: 'POST_CREATE', d })]);
      await writeElsewhere(tx, ctx, each);
      posts.push(described);
    }
    return posts;
  },
});

function memberOf({ post, turning: { access } }: PlacedPost) {
  return { post, member: requireMember(inChannel(access)) };
}
