import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { shownText } from './text.ts';
import { userSummarySchema } from './user-summary.ts';

/** The number of characters that a request to join a community may have. Ours. */
export const MOST_REQUEST_CHARACTERS = 512;

/** The number of people who may wait for a community to accept them. Ours. */
export const MOST_JOIN_REQUESTS = 1_000;

/** The number of communities that somebody may ask to accept them at a time. Ours. */
export const MOST_OWN_REQUESTS = 100;

/** Somebody who asks to become a member of a community. Ours. */
export const joinRequestSchema = z.object({
  user: userSummarySchema,
  community_id: idSchema,
  /** A text to its moderators. */
  text: z.string().exactOptional(),
  created_at: z.int().nonnegative(),
});

/** Requests of people who wait, the oldest first. Ours. */
export const joinRequestListSchema = z.array(joinRequestSchema);

/** The body of `PUT /communities/<id>/join-requests/me`. Ours. */
export const joinRequestInputSchema = z.object({
  text: shownText(1, MOST_REQUEST_CHARACTERS).optional(),
});

export type JoinRequest = z.infer<typeof joinRequestSchema>;
export type JoinRequestInput = z.infer<typeof joinRequestInputSchema>;
