import { z } from 'zod';
import { idSchema } from './id-schema.ts';

/** The number of things that one connection may watch; what is beyond that is left out. Ours. */
export const MOST_WATCHED = { channels: 20, posts: 5, communities: 5, users: 100 } as const;

/** The number of people whom WATCHED lists for a community. Ours. */
export const MOST_LISTED_ONLINE = 100;

/** States of presence. Ours. */
export const PRESENCE_STATUSES = ['online', 'idle', 'busy', 'offline'] as const;

const idsSchema = z.array(z.string()).exactOptional();

/**
 * Replaces what the client watches: it then receives the events of it that are not kept. Ids that it may not see are left
 * out. Profile 2, ours.
 */
export const watchSchema = z.object({
  op: z.literal('WATCH'),
  d: z.object({ channels: idsSchema, posts: idsSchema, communities: idsSchema, users: idsSchema }),
});

/** Somebody, and whether they are there. Ours. */
export const presenceSchema = z.object({
  user_id: idSchema,
  status: z.enum(PRESENCE_STATUSES),
});

export type PresenceStatus = (typeof PRESENCE_STATUSES)[number];
export type Presence = z.infer<typeof presenceSchema>;
export type Watch = z.infer<typeof watchSchema>;
