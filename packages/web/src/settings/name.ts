import { AUTHOR_LENGTH, countCodePoints } from '@hearth/sdk';

/** A typed name as it is sent with messages, or what is wrong with it. */
export type CheckedName =
  | { readonly isValid: true; readonly name: string }
  | {
      readonly isValid: false;
      readonly problem: 'missing' | 'short' | 'long';
      readonly count: number;
    };

/** Checks a name as instances do: 2 to 32 code points, without the blanks around it. */
export function checkName(typed: string): CheckedName {
  const name = typed.toWellFormed().trim();
  const count = countCodePoints(name);
  if (count === 0) return { isValid: false, problem: 'missing', count };
  if (count < AUTHOR_LENGTH.min) return { isValid: false, problem: 'short', count };
  if (count > AUTHOR_LENGTH.max) return { isValid: false, problem: 'long', count };
  return { isValid: true, name };
}
