import { onlineCountSchema } from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import { countOnline } from './count-online.ts';

/** `GET /online` of the REST service. */
export const onlineRoutes = [
  route({
    method: 'GET',
    path: '/online',
    name: 'countOnline',
    tag: 'instance',
    summary: 'Read how many people are connected',
    limit: 'read',
    auth: 'optional',
    answers: onlineCountSchema,
    throws: ['ForbiddenError'],
    handle: countOnline,
  }),
];
