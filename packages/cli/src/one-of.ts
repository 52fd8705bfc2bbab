import type { Invocation } from './command.ts';
import { UsageError } from './owner-error.ts';

/** The value of a flag that has to be one of some; undefined without the flag. Throws UsageError. */
export function oneOf<Name extends string>(
  flag: string,
  flags: Invocation['flags'],
  names: readonly Name[],
): Name | undefined {
  const given = flags.get(flag);
  const known = names.find((name) => name === given);
  if (given === undefined || known !== undefined) return known;
  throw new UsageError(`--${flag} must be ${names.join(', ')}, not "${given}"`);
}
