import type { ExportPart } from '../exports/exports.ts';
import { describeSession } from './describe-session.ts';
import { selectSessions } from './store.ts';

/** The sessions of a person that have not ended. */
export const exportSessions: ExportPart = async ({ database, clock }, userId) => {
  const sessions = await selectSessions(database.reader, userId);
  const described = sessions.map((session) => describeSession(session, undefined));
  const text = JSON.stringify(described, null, 2);
  return [{ name: 'sessions.json', modifiedAtMs: clock.unixMs(), read: async () => text }];
};
