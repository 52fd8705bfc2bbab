import { z } from 'zod';
import { channelSchema } from '../channels.ts';
import { communitySchema, ownCommunitySchema } from '../communities.ts';
import { idSchema } from '../id-schema.ts';
import { memberSchema } from '../members.ts';
import { roleSchema } from '../roles.ts';
import { positionSchema } from './positions.ts';

const inCommunity = z.object({ id: idSchema, community_id: idSchema });

/** The user has joined a community, or made one. Profile 2, in `u:`, ours. */
export const communityCreateSchema = event('COMMUNITY_CREATE', ownCommunitySchema);

/** A community has changed. Profile 2, in `c:`, ours. */
export const communityUpdateSchema = event('COMMUNITY_UPDATE', communitySchema);

/** A community was deleted; its stream ends. Profile 2, in `c:`, ours. */
export const communityDeleteSchema = event('COMMUNITY_DELETE', z.object({ id: idSchema }));

/** A role was added. Profile 2, in `c:`, ours. */
export const roleCreateSchema = event('ROLE_CREATE', roleSchema);

/** A role has changed, or has another position. Profile 2, in `c:`, ours. */
export const roleUpdateSchema = event('ROLE_UPDATE', roleSchema);

/** A role was removed, and with it its overwrites; no member has it any more. Profile 2, in `c:`, ours. */
export const roleDeleteSchema = event('ROLE_DELETE', inCommunity);

/** A channel was added, or is no longer restricted: in the stream that carries it. Profile 2, ours. */
export const channelCreateSchema = event('CHANNEL_CREATE', channelSchema);

/** A channel has changed, or has another place. Profile 2, in the stream that carries it, ours. */
export const channelUpdateSchema = event('CHANNEL_UPDATE', channelSchema);

/** A channel was removed, or another stream carries it: in the stream that carried it. Profile 2, ours. */
export const channelDeleteSchema = event('CHANNEL_DELETE', inCommunity);

/** The user's own membership has changed, or that of somebody who is watched. Profile 2, ours. */
export const memberUpdateSchema = event('MEMBER_UPDATE', memberSchema);

/** The user is no longer a member. Profile 2, in `u:`, ours. */
export const memberLeaveSchema = event(
  'MEMBER_LEAVE',
  z.object({
    community_id: idSchema,
    reason: z.enum(['left', 'kicked', 'banned', 'deleted']),
  }),
);

/** Every event that the streams of communities have, and what users are sent of them in their own. */
export const COMMUNITY_EVENTS = [
  communityCreateSchema,
  communityUpdateSchema,
  communityDeleteSchema,
  roleCreateSchema,
  roleUpdateSchema,
  roleDeleteSchema,
  channelCreateSchema,
  channelUpdateSchema,
  channelDeleteSchema,
  memberUpdateSchema,
  memberLeaveSchema,
] as const;

function event<const Op extends string, Data extends z.ZodType>(op: Op, d: Data) {
  return z.object({ op: z.literal(op), s: positionSchema, d });
}
