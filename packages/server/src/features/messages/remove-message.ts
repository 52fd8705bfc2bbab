import { NotFoundError, type Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { eraseMessage } from './store.ts';

/** How long a running instance may take to write what was posted a moment ago. */
const WRITTEN_BY_MS = 1_000;
const POLL_MS = 50;

/** Removes a message from the history of an instance, which may be running. Throws NotFoundError. */
export async function removeMessage(ctx: Context, id: Id): Promise<void> {
  const giveUpAt = ctx.clock.monotonicMs() + WRITTEN_BY_MS;
  while (!(await ctx.database.quietTransaction((writer) => eraseMessage(writer, id)))) {
    if (ctx.clock.monotonicMs() > giveUpAt) throw new NotFoundError();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
