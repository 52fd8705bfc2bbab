import { z } from 'zod';
import { notificationSettingSchema, readStateSchema } from '../read-states.ts';
import { positionSchema } from './positions.ts';

/** The user has read a channel further, or marked it as unread, on any device. Profile 2, in `u:`, ours. */
export const readUpdateSchema = z.object({
  op: z.literal('READ_UPDATE'),
  s: positionSchema,
  d: readStateSchema,
});

/** The user has chosen of what a community or channel notifies them. Profile 2, in `u:`, ours. */
export const notificationSettingUpdateSchema = z.object({
  op: z.literal('NOTIFICATION_SETTING_UPDATE'),
  s: positionSchema,
  d: notificationSettingSchema,
});
