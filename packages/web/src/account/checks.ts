import { countCodePoints } from '@hearth/sdk';
import {
  emailSchema,
  PASSWORD_LENGTH,
  USERNAME_LENGTH,
  usernameSchema,
} from '@hearth/protocol/schemas';
import type { AccountText } from './use-account-text.ts';
import { typedText } from '../lib/typed-text.ts';

type Words = AccountText['field'];

/** Returns what is wrong with a new username, if anything. The server has the last word. */
export function checkUsername(typed: string, words: Words): string | undefined {
  const name = typed.trim();
  if (name === '') return words.missing;
  const { length } = name;
  if (length < USERNAME_LENGTH.min || length > USERNAME_LENGTH.max) return words.usernameLength;
  const { success, error } = usernameSchema.safeParse(name);
  if (success) return undefined;
  const isReserved = error.issues.every(({ code }) => code === 'custom');
  return isReserved ? words.usernameReserved : words.usernameCharacters;
}

/** Returns what is wrong with an email address, if anything. */
export function checkEmail(typed: string, words: Words): string | undefined {
  if (typed.trim() === '') return words.missing;
  return emailSchema.safeParse(typed).success ? undefined : words.email;
}

/** Returns what is wrong with a new password, if anything. */
export function checkNewPassword(typed: string, words: Words): string | undefined {
  const count = countCodePoints(typed);
  if (count === 0) return words.missing;
  if (count < PASSWORD_LENGTH.min) return words.passwordShort;
  return count > PASSWORD_LENGTH.max ? words.passwordLong : undefined;
}

/** A field that must not be empty. */
export function checkFilled(typed: string, words: Words): string | undefined {
  return typedText(typed) === '' ? words.missing : undefined;
}
