import type { Id } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';

/** Something has begun to show an upload while that was being removed. */
export class ShownMeanwhile extends Error {}

/**
 * Removes an upload with `remove`, and takes it out of everything of a feature that shows it, in a transaction that
 * {@link whileNotShown} runs. Throws ShownMeanwhile.
 */
export type WithoutFile = <Result>(
  tx: EmittingTransaction,
  upload: Id,
  remove: () => Promise<Result>,
) => Promise<Result>;

export interface HasFileUsers {
  readonly fileUsers: readonly WithoutFile[];
}

/** Runs `work`, whose transaction removes an upload with {@link withoutUses}: again if something has begun to show it. */
export async function whileNotShown<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ShownMeanwhile)) throw error;
    }
  }
}

/** Removes an upload with `remove`, and takes it out of everything that shows it. Throws ShownMeanwhile. */
export function withoutUses<Result>(
  tx: EmittingTransaction,
  { fileUsers }: HasFileUsers,
  { id, remove }: { readonly id: Id; readonly remove: () => Promise<Result> },
): Promise<Result> {
  return fileUsers.reduceRight((inner, without) => () => without(tx, id, inner), remove)();
}
