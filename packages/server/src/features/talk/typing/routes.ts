import { nothingSchema } from '@hearth/protocol/schemas';
import { channelParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { showTyping } from './show-typing.ts';

/** Routes of the REST service about who is writing. */
export const typingRoutes = [
  route({
    method: 'POST',
    path: '/channels/:channel_id/typing',
    name: 'showTyping',
    tag: 'channels',
    summary: 'Show those who watch a channel that you are writing there',
    limit: 'write',
    auth: 'user',
    params: channelParams,
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: showTyping,
  }),
];
