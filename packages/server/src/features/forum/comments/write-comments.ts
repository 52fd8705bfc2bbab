import type { Comment } from '@hearth/protocol';
import { dropOut, type EmittingTransaction, type Outcome } from '../../../ports/outbox/outbox.ts';
import { holdAccesses } from '../../communities/structure/structure.ts';
import { writing, type NotWritten, type Now, type Write } from '../../talk/writing/writing.ts';
import { actingIn, channelPlace, inChannel } from '../../talk/places/places.ts';
import { announceToWatchers } from './announce-comment.ts';
import { isStill } from './comment-access.ts';
import type { CommentDraft, CommentEntry, PlacedComment } from './comment-draft.ts';
import { describeComment } from './describe-comment.ts';
import { aboveNewest, lockPlaces, placedIn, storePlaced } from './place-comments.ts';

const postOf = ({ draft: { postId } }: Pick<Write<CommentDraft>, 'draft'>) => postId;

/** Writes comments on any posts, those on a post in the order of the list. */
export const writeComments = writing<CommentDraft, PlacedComment, Comment>({
  nonceIn: postOf,
  isIndexed: true,
  isUnread: false,
  postOf,
  async place(tx, entries, now) {
    await requireAccess(tx, entries, now);
    const locked = await lockPlaces(tx, entries);
    const numbered = await aboveNewest(tx, entries, { ...now, posts: locked.posts.values() });
    return placedIn(numbered, locked, now.nowMs);
  },
  async insert(tx, placed) {
    await storePlaced(tx, placed);
    return new Set();
  },
  async send(tx, placed, { ctx }) {
    const nowMs = ctx.clock.unixMs();
    const comments = placed.map(({ comment, draft, turning }) => {
      const posts = new Map(draft.posts && [[comment.id, draft.posts]]);
      const { postSettings } = inChannel(turning.access).channel;
      return describeComment(comment, postSettings, { users: draft.users, posts, nowMs });
    });
    tx.afterCommit(() => {
      for (const [place, comment] of comments.entries()) announce(ctx, comment, placed[place]);
    });
    return comments;
  },
});

type Dropped = readonly [at: number, outcome: Outcome];

/** Keeps what the authors may do as it is. Lets those drop out who may not comment, or of whom something else was known. */
async function requireAccess(
  tx: EmittingTransaction,
  entries: readonly CommentEntry[],
  { ctx }: Now,
): Promise<void> {
  const all = entries.map(({ turning }) => actingIn(turning));
  const { held } = await holdAccesses(tx, ctx, { all, locks: 'strangers' });
  dropOut(
    entries.flatMap(({ at, turning }, place): readonly Dropped[] => {
      const own = held[place];
      if (own === undefined) return [];
      if ('error' in own) return [[at, own]];
      const result: NotWritten = { outdated: channelPlace(own.access) };
      return isStill(inChannel(turning.access), own.access) ? [] : [[at, { result }]];
    }),
  );
}

/** Sends the watchers of a post what was written there. */
function announce(ctx: Now['ctx'], comment: Comment, placed: PlacedComment | undefined): void {
  if (placed === undefined) return;
  const { draft, post, parentReplyCount, turning } = placed;
  const d = {
    ...comment,
    comment_count: post.commentCount,
    ...(parentReplyCount !== undefined && { parent_reply_count: parentReplyCount }),
    ...(draft.nonce !== '' && { nonce: draft.nonce }),
  };
  const { number } = placed.comment;
  const about = { postId: post.id, channel: inChannel(turning.access).channel, number };
  announceToWatchers(ctx, about, { op: 'COMMENT_CREATE', d });
}
