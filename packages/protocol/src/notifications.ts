import { z } from 'zod';
import { ID_PATTERN, idSchema } from './id-schema.ts';
import { parseId, type Id } from './ids.ts';
import { pageLimitSchema } from './page-limit.ts';
import { userSummarySchema } from './user-summary.ts';

/** The largest number of notifications that a user has; older ones are removed. Ours. */
export const MOST_NOTIFICATIONS = 1_000;

/** Why somebody is notified: a message, post or comment mentions them, or replies to one of theirs. Ours. */
export const NOTIFICATION_KINDS = ['mention', 'reply'] as const;

/** Something that concerns a user. Ours. */
export const notificationSchema = z.object({
  id: idSchema,
  kind: z.enum(NOTIFICATION_KINDS),
  /** The person who has caused it. */
  user: userSummarySchema.exactOptional(),
  community_id: idSchema.exactOptional(),
  channel_id: idSchema.exactOptional(),
  message_id: idSchema.exactOptional(),
  post_id: idSchema.exactOptional(),
  comment_id: idSchema.exactOptional(),
  /** In lists, the title of the post that it is, or belongs to. */
  post_title: z.string().exactOptional(),
  /** In lists, how its text begins, in plain text with `▇▇▇` for each spoiler. A post that is a spoiler shows none. */
  excerpt: z.string().exactOptional(),
  created_at: z.int().nonnegative(),
  /** True if the user has read it, or the channel up to the message, or the post with its comments. */
  read: z.literal(true).exactOptional(),
});

/** The notifications of a user, the newest first. Ours. */
export const notificationListSchema = z.array(notificationSchema);

/** The query of `GET /users/me/notifications`. Ours. */
export const notificationQuerySchema = z.object({
  after: notificationIdSchema().optional(),
  before: notificationIdSchema().optional(),
  limit: pageLimitSchema(),
});

/** The body of `PUT /users/me/notifications/read`, and the answer: all notifications up to this one are read. Ours. */
export const notificationMarkSchema = z.object({ last_read_id: idSchema });

export type Notification = z.infer<typeof notificationSchema>;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];
export type NotificationMark = z.infer<typeof notificationMarkSchema>;
export type NotificationQuery = z.output<typeof notificationQuerySchema>;

function notificationIdSchema() {
  const error = 'must be the id of a notification';
  return z
    .string()
    .regex(ID_PATTERN, { error })
    .refine((value): value is Id => parseId(value) !== undefined, { error });
}
