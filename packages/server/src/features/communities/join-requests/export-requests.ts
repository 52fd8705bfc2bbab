import type { ExportPart } from '../../accounts/exports/exports.ts';
import { selectRequestsOf } from './store.ts';

/** What a person asks communities to accept them. */
export const exportRequests: ExportPart = async ({ database, clock }, userId) => {
  const requests = await selectRequestsOf(database.reader, userId);
  if (requests.length === 0) return [];
  const described = requests.map(({ community_id, content, created_at_ms: created_at }) => {
    return { community_id, text: content, created_at };
  });
  const text = JSON.stringify(described, null, 2);
  const modifiedAtMs = clock.unixMs();
  return [{ name: 'join-requests.json', modifiedAtMs, read: async () => text }];
};
