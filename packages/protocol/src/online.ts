import { z } from 'zod';

/** How many connections the gateways of the instance have, and what `GET /online` answers. Ours. */
export const onlineCountSchema = z.object({ count: z.int().nonnegative() });

/** How many connections the gateways have. */
export type OnlineCount = z.infer<typeof onlineCountSchema>;
