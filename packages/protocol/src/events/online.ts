import { z } from 'zod';
import { onlineCountSchema } from '../online.ts';

/**
 * The number of connections now, for clients that ask with `online=true`. It belongs to no stream: it has no position
 * and is not kept. Profile 1, ours.
 */
export const onlineSchema = z.object({ op: z.literal('ONLINE'), d: onlineCountSchema });
