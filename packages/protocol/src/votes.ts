import { z } from 'zod';
import { userSummarySchema } from './user-summary.ts';

/** A vote that counts. Ours. */
export const votedValueSchema = z.union([z.literal(1), z.literal(-1)]);

/** The totals of the votes for a post or a comment. Ours. */
export const totalsSchema = z.object({
  /** `upvotes` less `downvotes`. These three are absent while they are hidden. */
  score: z.int().exactOptional(),
  upvotes: z.int().nonnegative().exactOptional(),
  downvotes: z.int().nonnegative().exactOptional(),
  /** Until when they are hidden. */
  scores_hidden_until: z.int().nonnegative().exactOptional(),
});

/** A vote of somebody; 0 takes it back. Ours. */
export const voteInputSchema = z.object({
  value: z.union([z.literal(1), z.literal(0), z.literal(-1)]),
});

/** The answer to a vote: the totals, and the vote if there is one. Ours. */
export const votedSchema = totalsSchema.extend({ my_vote: votedValueSchema.exactOptional() });

/** A vote and its voter, for members with VIEW_VOTES. Ours. */
export const voteSchema = z.object({
  user: userSummarySchema,
  value: votedValueSchema,
  cast_at: z.int().nonnegative(),
});

/** The votes for something, the newest account first. Ours. */
export const voteListSchema = z.array(voteSchema);

export type Totals = z.infer<typeof totalsSchema>;
export type VoteInput = z.infer<typeof voteInputSchema>;
export type Voted = z.infer<typeof votedSchema>;
export type Vote = z.infer<typeof voteSchema>;
