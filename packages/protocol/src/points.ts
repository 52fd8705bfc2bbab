import { z } from 'zod';
import { idSchema } from './id-schema.ts';

/** The points of a user, unrounded. Ours. */
export const pointsSchema = z.object({
  points: z.number(),
  /** Those of communities that the caller may see. */
  communities: z.array(z.object({ id: idSchema, points: z.number() })),
});

/** By which rules points are earned in a community. There are no others. Ours. */
export const pointRulesSchema = z.object({
  /** What a vote up gives at most. */
  vote: z.number(),
  /** Votes of accounts that are younger give nothing, in milliseconds. */
  voter_age_ms: z.int().nonnegative(),
  /** What each further vote of one person for another gives of the one before, within `pair_ms`. */
  pair_factor: z.number(),
  /** In milliseconds. */
  pair_ms: z.int().nonnegative(),
  /** What an accepted answer gives. */
  accepted_answer: z.number(),
});

export type Points = z.infer<typeof pointsSchema>;
export type PointRules = z.infer<typeof pointRulesSchema>;
