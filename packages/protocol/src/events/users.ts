import { z } from 'zod';
import { idSchema } from '../id-schema.ts';
import { ownUserSchema } from '../users.ts';
import { positionSchema } from './positions.ts';

/** The client's own user has changed; `d` is the whole user. Older versions are ignored. Profile 2, in `u:`, ours. */
export const ownUserUpdateSchema = z.object({
  op: z.literal('USER_UPDATE'),
  s: positionSchema,
  d: ownUserSchema,
});

/** A session of the client's user has ended. If it is the client's own, DISCONNECT follows. Profile 2, in `u:`, ours. */
export const sessionEndSchema = z.object({
  op: z.literal('SESSION_END'),
  s: positionSchema,
  d: z.object({ id: idSchema }),
});

/** Every event in the stream of a user about their account. */
export const OWN_USER_EVENTS = [ownUserUpdateSchema, sessionEndSchema] as const;
