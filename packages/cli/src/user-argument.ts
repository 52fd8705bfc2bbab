import { ConflictError, NotFoundError } from '@hearth/protocol';
import type { OwnerContext } from '@hearth/server';
import type { Flag, Invocation, Parameter, Surroundings } from './command.ts';
import { withOwnerContext } from './owner-context.ts';
import { blamingOwner, conflictText, UsageError } from './owner-error.ts';
import { inLine } from './text.ts';

/** The argument that names an account. */
export const USER: Parameter = { name: 'name or id', about: 'As hearth users list prints it' };

/** The flag of lists that may be long. */
export const LIMIT_FLAG: Flag = {
  name: 'limit',
  value: 'n',
  about: 'Maximum number of entries (default: 100)',
};

/** Returns the number of entries to list. Throws UsageError. */
export function limitOf(flags: Invocation['flags']): number {
  const given = flags.get(LIMIT_FLAG.name) ?? '100';
  const limit = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (limit >= 1) return limit;
  throw new UsageError(`--limit must be a whole number of at least 1, not "${given}"`);
}

/**
 * Returns the result of `work` for the account of this name or id. Throws OwnerError if there is none, if the name is
 * ambiguous, or if it is in another state; then the text begins with what it cannot be, such as "approved".
 */
export function onUser<Result>(
  { name, aim = 'found' }: { readonly name: string; readonly aim?: string },
  surroundings: Surroundings,
  work: (ctx: OwnerContext) => Promise<Result>,
): Promise<Result> {
  return blamingOwner(
    blamingOwner(
      withOwnerContext(surroundings, 'maintenance', work),
      NotFoundError,
      () => `there is no account ${inLine(name)}: see hearth users list`,
    ),
    ConflictError,
    (error) => `${inLine(name)} cannot be ${aim}: ${conflictText(error)}`,
  );
}
