import { z } from 'zod';
import { streamPlacesSchema } from './events/positions.ts';
import { watchSchema } from './watching.ts';

/** Keep-alive, the only operation a documented client sends (Events: PING). */
export const pingSchema = z.object({ op: z.literal('PING') });

/**
 * The first payload of a client of profile 2. Without a token it is a guest. It continues after the places in `resume`, as
 * far as the events are kept. With `online` it asks for ONLINE, and with `pauses` for PAUSES. Ours.
 */
export const authenticateSchema = z.object({
  op: z.literal('AUTHENTICATE'),
  d: z
    .object({
      token: z.string().exactOptional(),
      resume: streamPlacesSchema.exactOptional(),
      online: z.boolean().exactOptional(),
      pauses: z.boolean().exactOptional(),
    })
    .exactOptional(),
});

/** Everything a client may send to the gateway. */
export const clientEventSchema = z.discriminatedUnion('op', [
  pingSchema,
  authenticateSchema,
  watchSchema,
]);

/** Everything a client may send to the gateway. */
export type ClientEvent = z.infer<typeof clientEventSchema>;

/** The first payload of a client of profile 2. */
export type Authenticate = z.infer<typeof authenticateSchema>;
