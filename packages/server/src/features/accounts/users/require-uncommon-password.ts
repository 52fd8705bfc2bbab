import { ValidationError } from '@hearth/protocol';

let common: Promise<ReadonlySet<string>> | undefined;

/** Throws ValidationError for `password` if it is one of the most common ones. */
export async function requireUncommonPassword(password: string): Promise<void> {
  if (await isCommonPassword(password)) {
    throw new ValidationError('password', 'is one of the most common passwords');
  }
}

/**
 * Resolves with whether a password is among the 49,233 most common ones, in capital or small letters. Reads the list
 * once, on use.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= readCommon();
  return (await common).has(password.toLowerCase());
}

async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
