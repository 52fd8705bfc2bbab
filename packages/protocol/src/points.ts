import { z } from 'zod';
import { idSchema } from './id-schema.ts';

/** The points of a user, unrounded. Ours. */
export const pointsSchema = z.object({
  points: z.number(),
  /** Points in communities that the caller may see. */
  communities: z.array(z.object({ id: idSchema, points: z.number() })),
});

/** By which rules points are earned in a community. There are no others. Ours. */
export const pointRulesSchema = z.object({
  /** The largest number of points that a vote up gives. */
  vote: z.number(),
  /** Votes of accounts that are younger give nothing, in milliseconds. */
  voter_age_ms: z.int().nonnegative(),
  /**
   * The factor by which each further vote of one person for another gives less than the one before, within `pair_ms`.
   */
  pair_factor: z.number(),
  /** In milliseconds. */
  pair_ms: z.int().nonnegative(),
  /** The points that an accepted answer gives. */
  accepted_answer: z.number(),
});

export type Points = z.infer<typeof pointsSchema>;
export type PointRules = z.infer<typeof pointRulesSchema>;
