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
    columns: `p.id, p.id as post_id, p.channel_id, p.community_id, p.user_id, p.created_at_ms,
      p.last_comment_at_ms as active_at_ms, p.locked, p.upvotes, p.downvotes`,
  }),
  async update(tx, counted) {
    const rows = counted.map(({ voted: { id, createdAtMs, activeAtMs }, votes }) => {
      const { score, controversial, hot, active } = ranksOf({ ...votes, createdAtMs, activeAtMs });
      return [id, votes.upvotes, votes.downvotes, score, controversial, hot, active];
    });
    await tx.runMany({ text: UPDATE, columns: UPDATED, rows });
  },
};
