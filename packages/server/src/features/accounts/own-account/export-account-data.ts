import type { ExportPart } from '../exports/exports.ts';
import { describeOwnUser, findAccount } from '../users/users.ts';

/** The account of a person, as they see it themselves. */
export const exportAccountData: ExportPart = async (ctx, userId) => {
  const user = await findAccount(ctx, { id: userId });
  if (user === undefined) return [];
  const { invited_by: invitedBy } = user;
  const account = {
    ...describeOwnUser(ctx, user),
    ...(invitedBy !== '' && { invited_by: invitedBy }),
  };
  const text = JSON.stringify(account, null, 2);
  return [{ name: 'account.json', modifiedAtMs: user.created_at_ms, read: async () => text }];
};
