import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { deleteSettings } from './store.ts';

/** Forgets what somebody has chosen in a community that they leave. */
export function forgetNotificationSettings(
  { sql }: Transaction,
  member: { readonly communityId: Id; readonly userId: Id },
): Promise<void> {
  return deleteSettings(sql, member);
}
