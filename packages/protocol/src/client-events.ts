import { z } from 'zod';

/** Keep-alive, the only operation a documented client sends (Events: PING). */
export const pingSchema = z.object({ op: z.literal('PING') });

/** Everything a client may send to the gateway. */
export const clientEventSchema = z.discriminatedUnion('op', [pingSchema]);

/** Everything a client may send to the gateway. */
export type ClientEvent = z.infer<typeof clientEventSchema>;
