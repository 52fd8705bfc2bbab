import { INVITE_CODE_LENGTH } from '@hearth/protocol';

/** Base 58: letters and digits without those that look the same. */
const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The greatest multiple of their number that a byte can reach. Higher bytes are drawn again, so that none is likelier. */
const BOUND = Math.floor(256 / LETTERS.length) * LETTERS.length;

/** A new code of an invite: 70 random bits. */
export function newInviteCode(): string {
  let code = '';
  while (code.length < INVITE_CODE_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(INVITE_CODE_LENGTH))) {
      if (byte < BOUND && code.length < INVITE_CODE_LENGTH) code += LETTERS[byte % LETTERS.length];
    }
  }
  return code;
}
