import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { selectLastingSessions } from './store.ts';

/** Which of these sessions have not ended, and belong to users who may use the instance. */
export function findLastingSessions(
  { database }: Pick<Context, 'database'>,
  sessions: readonly Id[],
): Promise<ReadonlySet<Id>> {
  return selectLastingSessions(database.reader, sessions);
}
