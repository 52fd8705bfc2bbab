import { z } from 'zod';
import { idSchema } from '../id-schema.ts';
import { memberSchema } from '../members.ts';
import { userSummarySchema } from '../user-summary.ts';
import { userSchema } from '../users.ts';
import { presenceSchema } from '../watching.ts';

/** The things that the client watches from now on, and how they are at present. Profile 2, ours. */
export const watchedSchema = z.object({
  op: z.literal('WATCHED'),
  d: z.object({
    channels: z.array(idSchema),
    posts: z.array(idSchema),
    communities: z.array(
      z.object({
        id: idSchema,
        /** Members who are there, at most 100. */
        online: z.array(presenceSchema.omit({ user_id: true }).extend({ user: userSummarySchema })),
      }),
    ),
    users: z.array(presenceSchema.omit({ user_id: true }).extend({ user: userSummarySchema })),
  }),
});

/** Somebody writes in a channel that is watched. Profile 2, ours. */
export const typingSchema = z.object({
  op: z.literal('TYPING'),
  d: z.object({ channel_id: idSchema, user: userSummarySchema }),
});

/** Somebody in a community that is watched has come or gone. Profile 2, ours. */
export const presenceEventSchema = z.object({ op: z.literal('PRESENCE'), d: presenceSchema });

/** Somebody has joined a community that is watched. Profile 2, ours. */
export const watchedMemberCreateSchema = z.object({
  op: z.literal('MEMBER_CREATE'),
  d: memberSchema,
});

/** Another member of a community that is watched has changed. Profile 2, ours. */
export const watchedMemberUpdateSchema = z.object({
  op: z.literal('MEMBER_UPDATE'),
  d: memberSchema,
});

/** Somebody is no longer a member of a community that is watched. Profile 2, ours. */
export const watchedMemberDeleteSchema = z.object({
  op: z.literal('MEMBER_DELETE'),
  d: z.object({ community_id: idSchema, user_id: idSchema }),
});

/** A member of a community that is watched has changed as everyone sees them, or their account has ended. Profile 2, ours. */
export const watchedUserUpdateSchema = z.object({
  op: z.literal('USER_UPDATE'),
  d: userSchema.omit({ points: true }),
});

/** Every event of what a client watches, except that of posts. They belong to no stream. */
export const WATCHED_EVENTS = [
  watchedSchema,
  typingSchema,
  presenceEventSchema,
  watchedMemberCreateSchema,
  watchedMemberUpdateSchema,
  watchedMemberDeleteSchema,
  watchedUserUpdateSchema,
] as const;
