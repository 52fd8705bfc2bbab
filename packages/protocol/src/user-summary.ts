import { z } from 'zod';
import { idSchema } from './id-schema.ts';

/** A person, as other objects mention them. Ours. */
export const userSummarySchema = z.object({
  id: idSchema,
  username: z.string(),
  display_name: z.string().exactOptional(),
  /** The id of a file. */
  avatar: idSchema.exactOptional(),
  bot: z.boolean().exactOptional(),
  /** The instance that the person belongs to, if that is another one. */
  host: z.string().exactOptional(),
  /** The account was deleted; its `username` is `deleted` then. */
  deleted: z.literal(true).exactOptional(),
});

/** A person, as other objects mention them. */
export type UserSummary = z.infer<typeof userSummarySchema>;

/** A list of people. Ours. */
export const userSummaryListSchema = z.array(userSummarySchema);
