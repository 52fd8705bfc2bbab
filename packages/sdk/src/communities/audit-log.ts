import type { AuditAction, AuditEntry, Id } from '@hearth/protocol';
import { receivedAuditLog } from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import type { RequestOptions } from '../types.ts';

/** Which entries of the audit log: before or after ids, of one person, or of one kind. */
export interface AuditLogQuery {
  readonly before?: Id | undefined;
  readonly after?: Id | undefined;
  /** Only what this person did. */
  readonly user?: Id | undefined;
  readonly action?: AuditAction | undefined;
  /** 1 to 100, 50 by default. */
  readonly limit?: number | undefined;
}

/** Lists what was done in a community that its moderators may want to know, the newest first. */
export function listAuditLog(
  api: Api,
  { communityId, ...query }: AuditLogQuery & { readonly communityId: Id },
  { signal }: RequestOptions = {},
): Promise<readonly AuditEntry[]> {
  return api.request({
    method: 'GET',
    path: '/communities/:community_id/audit-log',
    params: { community_id: communityId },
    limit: 'list',
    query,
    answers: receivedAuditLog,
    signal,
  });
}
