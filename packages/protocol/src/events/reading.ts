import { z } from 'zod';
import { idSchema } from '../id-schema.ts';
import { notificationMarkSchema, notificationSchema } from '../notifications.ts';
import { notificationSettingSchema, readStateListSchema, readStateSchema } from '../read-states.ts';
import { positionSchema } from './positions.ts';

/** The user has read a channel further, or marked it as unread, on any device. Profile 2, in `u:`, ours. */
export const readUpdateSchema = event('READ_UPDATE', readStateSchema);

/** The user has marked a community as read; `read_states` has the channels that have changed. Profile 2, in `u:`, ours. */
export const readUpdateManySchema = event(
  'READ_UPDATE_MANY',
  z.object({ community_id: idSchema, read_states: readStateListSchema }),
);

/** The user has chosen of what a community or channel notifies them. Profile 2, in `u:`, ours. */
export const notificationSettingUpdateSchema = event(
  'NOTIFICATION_SETTING_UPDATE',
  notificationSettingSchema,
);

/** Something concerns the user. Profile 2, in `u:`, ours. */
export const notificationCreateSchema = event('NOTIFICATION_CREATE', notificationSchema);

/** The user has read one of their notifications, with the post that it is about. Profile 2, in `u:`, ours. */
export const notificationUpdateSchema = event('NOTIFICATION_UPDATE', notificationSchema);

/** The user has read all notifications up to one. Profile 2, in `u:`, ours. */
export const notificationReadSchema = event('NOTIFICATION_READ', notificationMarkSchema);

/** Every event in the stream of a user about what they have read, and of what they are notified. */
export const READING_EVENTS = [
  readUpdateSchema,
  readUpdateManySchema,
  notificationSettingUpdateSchema,
  notificationUpdateSchema,
  notificationCreateSchema,
  notificationReadSchema,
] as const;

function event<const Op extends string, Data extends z.ZodType>(op: Op, d: Data) {
  return z.object({ op: z.literal(op), s: positionSchema, d });
}
