import { votedStore, type VotedStore } from '../votes/votes.ts';
import { ranksOf } from './ranks.ts';

const UPDATE = `update posts set hot = given.hot, active = given.active, upvotes = given.upvotes,
    downvotes = given.downvotes, score = given.score, controversial = given.controversial
  from given where posts.id = given.subject_id`;
const UPDATED = {
  subject_id: 'text',
  upvotes: 'bigint',
  downvotes: 'bigint',
  score: 'bigint',
  controversial: 'double precision',
  hot: 'double precision',
  active: 'double precision',
} as const;

export const votedPosts: VotedStore = {
  ...votedStore({
    kind: 'post',
    table: 'posts',
    alias: 'p',
    columns: `p.id, p.id as "postId", p.channel_id as "channelId", p.community_id as "communityId",
      p.user_id as "authorId", p.created_at_ms as "createdAtMs", p.last_comment_at_ms as "activeAtMs", p.locked, p.upvotes,
      p.downvotes`,
  }),
  async update(tx, counted) {
    const rows = counted.map(({ voted: { id, createdAtMs, activeAtMs }, votes }) => {
      const { score, controversial, hot, active } = ranksOf({ ...votes, createdAtMs, activeAtMs });
      return [id, votes.upvotes, votes.downvotes, score, controversial, hot, active];
    });
    await tx.runMany({ text: UPDATE, columns: UPDATED, rows });
  },
};
