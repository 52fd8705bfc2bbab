import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { reasonSchema } from './members.ts';
import { userSummarySchema } from './user-summary.ts';

/** From how long ago a ban removes what somebody posted, at most, in seconds: a week. Ours. */
export const MOST_DELETED_SECONDS = 7 * 24 * 60 * 60;

/** Somebody who may not join a community. Ours. */
export const banSchema = z.object({
  user: userSummarySchema,
  community_id: idSchema,
  reason: z.string().exactOptional(),
  /** The moderator who banned them, or changed the ban last; absent if that account was deleted. */
  created_by: userSummarySchema.exactOptional(),
  created_at: z.int().nonnegative(),
  /** When it ends by itself. */
  expires_at: z.int().nonnegative().exactOptional(),
});

/** Bans from a community, the newest first. Ours. */
export const banListSchema = z.array(banSchema);

/** The body of `PUT /communities/<id>/bans/<user>`. Ours. */
export const banInputSchema = z.object({
  reason: reasonSchema,
  /** When the ban ends by itself, in Unix milliseconds. */
  expires_at: z.int().nonnegative().optional(),
  /** The time before the ban in which everything that they posted is removed. */
  delete_seconds: z.int().nonnegative().max(MOST_DELETED_SECONDS).optional(),
});

export type Ban = z.infer<typeof banSchema>;
export type BanInput = z.infer<typeof banInputSchema>;
