import { z } from 'zod';
import { idSchema } from './id-schema.ts';

export { MOST_COUNTED_MENTIONS } from './lengths.ts';

/** Levels of what a community or channel notifies somebody of. Ours. */
export const NOTIFICATION_LEVELS = ['all', 'mentions', 'none'] as const;

/** The point up to which somebody has read a channel. A channel is unread if its `last_id` is greater. Ours. */
export const readStateSchema = z.object({
  channel_id: idSchema,
  /** It may name a message that was deleted; compare it, and never look it up. */
  last_read_id: idSchema,
  /** The number of newer messages that mention the user, at most {@link MOST_COUNTED_MENTIONS}. */
  mentions: z.int().nonnegative(),
});

/** The body of `PUT /channels/<id>/read`. Without `unread`, an older mark is ignored. Ours. */
export const readMarkSchema = z.object({
  last_read_id: idSchema,
  /** Sets the mark also if it goes back. */
  unread: z.literal(true).optional(),
});

/** Read states of a user, of the channels that they have opened. Ours. */
export const readStateListSchema = z.array(readStateSchema);

/** The choice of somebody for one community, or for one channel. Ours. */
export const notificationSettingSchema = z.object({
  /** Exactly one of this and `channel_id` is there. */
  community_id: idSchema.exactOptional(),
  channel_id: idSchema.exactOptional(),
  /** Absent if nothing was chosen: then that of the community holds for a channel, and `mentions` for a community. */
  level: z.enum(NOTIFICATION_LEVELS).exactOptional(),
  /** Muted until then. */
  muted_until: z.int().nonnegative().exactOptional(),
});

/** Everything that a user has chosen. Ours. */
export const notificationSettingListSchema = z.array(notificationSettingSchema);

/**
 * The body of `PUT /communities/<id>/notifications` and `PUT /channels/<id>/notifications`; they replace what was
 * chosen. Ours.
 */
export const notificationChoiceSchema = z.object({
  level: z.enum(NOTIFICATION_LEVELS).optional(),
  muted_until: z.int().nonnegative().optional(),
});

export type ReadState = z.infer<typeof readStateSchema>;
export type ReadMark = z.infer<typeof readMarkSchema>;
export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number];
export type NotificationSetting = z.infer<typeof notificationSettingSchema>;
export type NotificationChoice = z.infer<typeof notificationChoiceSchema>;
