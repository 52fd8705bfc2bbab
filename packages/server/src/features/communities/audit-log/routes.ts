import { auditLogSchema, auditQuerySchema } from '@hearth/protocol/schemas';
import { communityParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { listAuditLog } from './list-audit-log.ts';

/** The route of the REST service about what was done in a community. */
export const auditRoutes = [
  route({
    method: 'GET',
    path: '/communities/:community_id/audit-log',
    name: 'listAuditLog',
    tag: 'communities',
    summary: 'List what was done in a community, the newest first',
    limit: 'list',
    auth: 'user',
    params: communityParams,
    query: auditQuerySchema,
    answers: auditLogSchema,
    throws: ['ForbiddenError'],
    handle: listAuditLog,
  }),
];
