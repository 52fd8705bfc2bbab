import { z } from 'zod';
import { idSchema } from '../id-schema.ts';
import { joinRequestSchema } from '../join-requests.ts';
import { positionSchema } from './positions.ts';

/** Somebody asks to become a member, or has changed what they say. Profile 2, in `m:`, ours. */
export const joinRequestCreateSchema = z.object({
  op: z.literal('JOIN_REQUEST_CREATE'),
  s: positionSchema,
  d: joinRequestSchema,
});

/** Somebody who asked has become a member, was refused or does not ask any more. Profile 2, in `m:`, ours. */
export const joinRequestDeleteSchema = z.object({
  op: z.literal('JOIN_REQUEST_DELETE'),
  s: positionSchema,
  d: z.object({ community_id: idSchema, user_id: idSchema }),
});

/** Every event that is for the moderators of a community. */
export const MODERATOR_EVENTS = [joinRequestCreateSchema, joinRequestDeleteSchema] as const;
