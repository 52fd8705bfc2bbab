import type { Pauses } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { PAUSABLE, type InForce } from '../../../restrictions.ts';
import { lasting } from './require-admission.ts';

/** The pauses that have not ended. */
export function findPauses(ctx: Pick<Context, 'clock'>, { pauses }: InForce): Pauses {
  return Object.fromEntries(
    PAUSABLE.flatMap((what) => {
      const term = lasting(ctx, [pauses[what]]);
      return term === undefined ? [] : [[what, term]];
    }),
  );
}
