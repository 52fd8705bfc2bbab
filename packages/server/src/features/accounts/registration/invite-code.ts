import { INVITE_CODE_LENGTH } from '@hearth/protocol';
import { randomLetters } from '../../../lib/random-letters.ts';

/** Base 58: letters and digits without those that look the same. */
const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** A new code of an invite: 70 random bits. */
export function newInviteCode(): string {
  return randomLetters(INVITE_CODE_LENGTH, LETTERS);
}
