import { capabilitiesSchema } from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import { describeCapabilities } from './capabilities.ts';

/** `GET /capabilities` of the REST service. */
export const capabilityRoutes = [
  route({
    method: 'GET',
    path: '/capabilities',
    name: 'describeCapabilities',
    tag: 'instance',
    summary: 'Read the capabilities of the instance',
    limit: 'read',
    auth: 'optional',
    answers: capabilitiesSchema,
    handle: describeCapabilities,
  }),
];
