import { z } from 'zod';
import { ownCommunitySchema } from '../communities.ts';
import { notificationSettingSchema, readStateSchema } from '../read-states.ts';
import { ownUserSchema, sessionSchema } from '../users.ts';
import { streamPlacesSchema } from './positions.ts';

/**
 * The user of the client, the streams that it follows, and the places after which their events follow. The rest of the
 * state is at least as new as these places. What concerns the user is absent for guests. If the client asked to resume,
 * `recovered` has the streams that continue after the client's own places. Profile 2, ours.
 */
export const readySchema = z.object({
  op: z.literal('READY'),
  d: z.object({
    user: ownUserSchema.exactOptional(),
    session: sessionSchema.exactOptional(),
    communities: z.array(ownCommunitySchema).exactOptional(),
    /** Read states of channels that the user has opened; what is older than the membership counts as read in others. */
    read_states: z.array(readStateSchema).exactOptional(),
    notification_settings: z.array(notificationSettingSchema).exactOptional(),
    recovered: z.array(z.string()).exactOptional(),
    streams: streamPlacesSchema,
  }),
});
