import { NotFoundError } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { dropOut, type EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { accessesNow } from '../../communities/structure/structure.ts';
import type { Entry, NotWritten } from './entry.ts';

/** Drops those whose channel or author has changed, or was removed, with what their authors may do now. */
export async function dropOutdated(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return;
  const acting = entries.map(({ turning }) => turning);
  const now = await accessesNow(tx, ctx, acting);
  dropOut(
    entries.map(({ at, turning }) => {
      const own = now.get(turning) ?? { error: new NotFoundError() };
      if ('error' in own) return [at, own] as const;
      return [at, { result: { outdated: own.access } satisfies NotWritten }] as const;
    }),
  );
}
