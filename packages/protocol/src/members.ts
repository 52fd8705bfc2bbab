import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { pageQuerySchema } from './page-query.ts';
import { MOST_ROLES } from './roles.ts';
import { storableText } from './text.ts';
import { userSummarySchema } from './user-summary.ts';
import { oneLine } from './users.ts';

/** The number of characters that the name of a member in one community may have. Ours. */
export const MOST_NICKNAME_CHARACTERS = 64;

/** The number of characters that the reason of a moderator's act may have. Ours. */
export const MOST_REASON_CHARACTERS = 512;

/** The longest time-out, in milliseconds: 28 days. Ours. */
export const LONGEST_TIMEOUT_MS = 28 * 24 * 60 * 60 * 1_000;

/** A membership, besides who and where. Ours. */
export const membershipSchema = z.object({
  nickname: z.string().exactOptional(),
  /** Without the everyone role, which all members have. */
  role_ids: z.array(idSchema),
  joined_at: z.int().nonnegative(),
  /** Until then, the member may only read. */
  timed_out_until: z.int().nonnegative().exactOptional(),
  version: z.int().positive(),
});

/** A member of a community. Ours. */
export const memberSchema = membershipSchema.extend({
  user: userSummarySchema,
  community_id: idSchema,
});

/** Members of a community, by the names that are shown. Ours. */
export const memberListSchema = z.array(memberSchema);

/** The query of `GET /communities/<id>/members`. Ours. */
export const memberQuerySchema = pageQuerySchema.extend({
  /** The beginning of the username, the display name or the nickname, in any case. */
  q: storableText(0, MOST_NICKNAME_CHARACTERS).optional(),
});

/** Why a moderator does something, for the audit log. Ours. */
export const reasonSchema = oneLine(1, MOST_REASON_CHARACTERS).optional();

/** The query of what moderators remove or end. Ours. */
export const reasonQuerySchema = z.object({ reason: reasonSchema });

/** The body of `PATCH /communities/<id>/members/<user>`: what is given changes, and null clears it. Ours. */
export const memberChangeSchema = z.object({
  nickname: oneLine(1, MOST_NICKNAME_CHARACTERS).nullable().optional(),
  role_ids: z.array(idSchema).max(MOST_ROLES).optional(),
  timed_out_until: z.int().nonnegative().nullable().optional(),
  /** For the audit log. */
  reason: reasonSchema,
});

export type Membership = z.infer<typeof membershipSchema>;
export type Member = z.infer<typeof memberSchema>;
export type MemberChange = z.infer<typeof memberChangeSchema>;
