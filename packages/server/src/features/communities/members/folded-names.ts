import { foldText } from '@hearth/protocol';
import type { UserNames } from '../../accounts/users/users.ts';

/** The largest number of characters of a name that are stored: compatibility forms may be longer than the name. */
const MOST_CHARACTERS = 64;

/** A name by which a member is found. */
export interface FoldedName {
  readonly name: string;
  /** True if it is the one that is shown, by which members are listed. */
  readonly isShown: boolean;
}

/** The form of a name by which members are found and listed. */
export function foldName(name: string): string {
  return Array.from(foldText(name).trim()).slice(0, MOST_CHARACTERS).join('');
}

/** The names by which a member is found, each once. */
export function foldedNames(
  { username, display_name: displayName }: UserNames,
  nickname: string,
): readonly FoldedName[] {
  const names = [nickname, displayName, username].map(foldName).filter((name) => name !== '');
  const [shown] = names;
  return Array.from(new Set(names), (name) => ({ name, isShown: name === shown }));
}
