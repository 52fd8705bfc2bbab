import { NotFoundError } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { dropOut, type EmittingTransaction, type Outcome } from '../../../ports/outbox/outbox.ts';
import type { Entry, NotWritten } from './entry.ts';

/** Drops those whose place or author has changed, or was removed, with what their authors may do now. */
export async function dropOutdated(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  entries: readonly Entry[],
): Promise<void> {
  const dropped: (readonly [number, Outcome])[] = [];
  for (const [kind, some] of Map.groupBy(entries, ({ turning }) => turning.access.of)) {
    const now = await kind.now(
      tx,
      ctx,
      some.map(({ turning }) => turning),
    );
    for (const { at, turning } of some) {
      const own = now.get(turning) ?? { error: new NotFoundError() };
      const outcome =
        'error' in own ? own : { result: { outdated: own.access } satisfies NotWritten };
      dropped.push([at, outcome]);
    }
  }
  dropOut(dropped);
}
