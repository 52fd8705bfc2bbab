import { z } from 'zod';

/** The number of connections of the gateways of the instance, which `GET /online` answers. Ours. */
export const onlineCountSchema = z.object({ count: z.int().nonnegative() });

/** The number of connections of the gateways. */
export type OnlineCount = z.infer<typeof onlineCountSchema>;
