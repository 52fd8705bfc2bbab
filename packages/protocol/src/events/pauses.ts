import { z } from 'zod';
import { pausesSchema } from '../moderation.ts';

/**
 * Everything that is paused now, for clients that ask with `pauses=true`. It belongs to no stream: it has no position and
 * is not kept. Profile 1, ours.
 */
export const pausesEventSchema = z.object({ op: z.literal('PAUSES'), d: pausesSchema });
