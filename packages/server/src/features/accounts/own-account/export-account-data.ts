import type { ExportPart } from '../exports/export-part.ts';
import { describeOwnUser } from '../users/describe-user.ts';
import { findAccount } from '../users/find-account.ts';

/** The account of a person, as they see it themselves. */
export const exportAccountData: ExportPart = async (ctx, userId) => {
  const user = await findAccount(ctx, { id: userId });
  if (user === undefined) return [];
  const { invitedBy } = user;
  const account = {
    ...describeOwnUser(ctx, user),
    ...(invitedBy !== '' && { invited_by: invitedBy }),
  };
  const text = JSON.stringify(account, null, 2);
  return [{ name: 'account.json', modifiedAtMs: user.createdAtMs, read: async () => text }];
};
