import { z } from 'zod';
import { ID_PATTERN } from './id-schema.ts';
import { parseId, type Id } from './ids.ts';
import { pageLimitSchema } from './page-limit.ts';

/** One kind of reaction to a message. Ours. */
export const reactionSchema = z.object({
  /** One Unicode emoji, without variation selectors. */
  emoji: z.string(),
  /** The number of people who reacted with it. */
  count: z.int().nonnegative(),
  /** Set if the caller did. Events never have it. */
  mine: z.literal(true).exactOptional(),
});

/** One kind of reaction to a message. */
export type Reaction = z.infer<typeof reactionSchema>;

/** The query of a list of people, the newest account first. Ours. */
export const reactedQuerySchema = z.object({
  after: userIdSchema().optional(),
  before: userIdSchema().optional(),
  limit: pageLimitSchema(),
});

function userIdSchema() {
  const error = 'must be the id of a user';
  return z
    .string()
    .regex(ID_PATTERN, { error })
    .refine((value): value is Id => parseId(value) !== undefined, { error });
}
