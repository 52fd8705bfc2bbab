import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { selectCommunitiesOf } from '../structure/member-store.ts';

/** Returns the ids of all communities of which somebody is a member. */
export function communitiesOf({ sql }: Transaction, userId: Id): Promise<readonly Id[]> {
  return selectCommunitiesOf(sql, userId);
}
