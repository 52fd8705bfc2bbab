import { z } from 'zod';
import { communitySchema } from './communities.ts';
import { idSchema } from './id-schema.ts';
import { MOST_ROLES } from './roles.ts';
import { userSummarySchema } from './user-summary.ts';

/** The number of invites of a community that can be used at a time. Ours. */
export const MOST_COMMUNITY_INVITES = 100;

/** The number of people to which an invite may be limited. Ours. */
export const MOST_INVITE_USES = 100_000;

/** An invite to a community, as its managers and the person who made it see it. Ours. */
export const communityInviteSchema = z.object({
  code: z.string(),
  community_id: idSchema,
  /** The channel that is shown first, if the reader sees it. */
  channel_id: idSchema.exactOptional(),
  /** Absent if that account was deleted. */
  created_by: userSummarySchema.exactOptional(),
  created_at: z.int().nonnegative(),
  /** The number of people who have joined with it. */
  uses: z.int().nonnegative(),
  max_uses: z.int().positive().exactOptional(),
  expires_at: z.int().nonnegative().exactOptional(),
  /** The roles of those who join with it. */
  role_ids: z.array(idSchema).exactOptional(),
});

/** Invites that can be used, the newest first. Ours. */
export const communityInviteListSchema = z.array(communityInviteSchema);

/** The body of `POST /communities/<id>/invites`. Ours. */
export const newCommunityInviteSchema = z.object({
  channel_id: idSchema.optional(),
  max_uses: z.int().positive().max(MOST_INVITE_USES).optional(),
  expires_at: z.int().nonnegative().optional(),
  role_ids: z.array(idSchema).max(MOST_ROLES).optional(),
});

/** The number of members whose pictures an invite shows. Ours. */
export const MOST_INVITING_MEMBERS = 8;

/** The facts that everyone is shown who has the code of an invite. Ours. */
export const invitationSchema = z.object({
  code: z.string(),
  /** To a community, to the instance, or the one that makes the account of its owner. */
  kind: z.enum(['community', 'server', 'owner']),
  /** Absent if it is not to a community. */
  community: communitySchema
    .pick({
      id: true,
      slug: true,
      name: true,
      description: true,
      icon: true,
      banner: true,
      visibility: true,
      member_count: true,
      sensitive: true,
    })
    .exactOptional(),
  /** Some of the members, if visitors can read the community. */
  members: z.array(userSummarySchema).max(MOST_INVITING_MEMBERS).exactOptional(),
  /** Absent if that account was deleted, or if it is not to a community. */
  created_by: userSummarySchema.exactOptional(),
  /** The channel that is shown first, unless it is restricted. */
  channel_id: idSchema.exactOptional(),
  expires_at: z.int().nonnegative().exactOptional(),
  /** True if `POST /users` takes the code: somebody without an account can register with it. */
  registers: z.boolean(),
});

export type CommunityInvite = z.infer<typeof communityInviteSchema>;
export type NewCommunityInvite = z.infer<typeof newCommunityInviteSchema>;
export type Invitation = z.infer<typeof invitationSchema>;
