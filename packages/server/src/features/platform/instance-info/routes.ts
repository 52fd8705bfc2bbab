import { instanceInfoSchema } from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import { describeInstance } from './instance-info.ts';

/** `GET /` of the REST service. */
export const instanceInfoRoutes = [
  route({
    method: 'GET',
    path: '/',
    name: 'describeInstance',
    tag: 'instance',
    summary: 'Read the InstanceInfo',
    limit: 'info',
    auth: 'optional',
    answers: instanceInfoSchema,
    isConstant: true,
    handle: describeInstance,
  }),
];
