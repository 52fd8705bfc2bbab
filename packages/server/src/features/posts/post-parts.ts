import type { Post } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { describePolls } from '../polls/describe-polls.ts';
import { describeVisits } from './describe-visits.ts';
import { describeVotes } from './describe-votes.ts';
import type { StoredPost } from './stored-post.ts';

/** Reads what posts have besides their rows, for the caller. Returns what each of them has of it. */
export type PostPart = (
  ctx: CommunityContext,
  actor: Actor,
  posts: readonly StoredPost[],
) => Promise<(post: StoredPost) => Partial<Post> | undefined>;

/** Everything that posts have besides their rows. */
export const POST_PARTS: readonly PostPart[] = [
  describeVisits,
  describeVotes,
  async (ctx, actor, posts) => {
    const ids = posts.map(({ id }) => id);
    const polls = await describePolls(ctx, actor, ids);
    return ({ id }) => {
      const poll = polls.get(id);
      return poll && { poll };
    };
  },
];
