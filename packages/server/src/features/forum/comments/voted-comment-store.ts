import { controversyOf } from '../posts/posts.ts';
import { votedStore, type VotedStore } from '../votes/votes.ts';

const UPDATE = `update comments set upvotes = given.upvotes, downvotes = given.downvotes, score = given.score,
    controversial = given.controversial
  from given where comments.id = given.subject_id`;
const UPDATED = {
  subject_id: 'text',
  upvotes: 'bigint',
  downvotes: 'bigint',
  score: 'bigint',
  controversial: 'double precision',
} as const;

export const votedComments: VotedStore = {
  ...votedStore({
    kind: 'comment',
    table: 'comments',
    alias: 'c',
    columns: `c.id, c.post_id as "postId", c.channel_id as "channelId", c.community_id as "communityId",
      c.user_id as "authorId", c.created_at_ms as "createdAtMs", c.deleted_at_ms as "deletedAtMs", p.locked, c.upvotes,
      c.downvotes`,
    joins: 'join posts p on p.id = c.post_id',
  }),
  async update(tx, counted) {
    const rows = counted.map(({ voted: { id }, votes: { upvotes, downvotes } }) => {
      const score = upvotes - downvotes;
      return [id, upvotes, downvotes, score, controversyOf(upvotes, downvotes)];
    });
    await tx.runMany({ text: UPDATE, columns: UPDATED, rows });
  },
};
