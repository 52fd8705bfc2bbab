import type { AccountExport } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { describeExport } from './describe-export.ts';
import { selectExport } from './store.ts';

/** How far the archive of a person is, and where to fetch it. */
export async function findExport(
  ctx: Context,
  { user_id: userId }: Account,
): Promise<AccountExport> {
  const known = await selectExport(ctx.database.reader, userId);
  const hasExpired = (known?.expires_at_ms ?? 0) <= ctx.clock.unixMs();
  return describeExport(ctx, hasExpired ? undefined : known);
}
