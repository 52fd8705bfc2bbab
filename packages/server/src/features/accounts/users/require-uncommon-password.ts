import { ValidationError } from '@hearth/protocol';
import { isCommonPassword } from './common-passwords.ts';

/** Throws ValidationError for `password` if it is one of the most common ones. */
export async function requireUncommonPassword(password: string): Promise<void> {
  if (await isCommonPassword(password)) {
    throw new ValidationError('password', 'is one of the most common passwords');
  }
}
