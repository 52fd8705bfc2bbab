/** Letters and digits that cannot be confused. */
const UNMISTAKABLE = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Random letters and digits, of which each is as likely as any other. */
export function randomLetters(length: number, letters: string = UNMISTAKABLE): string {
  // Higher bytes are drawn again.
  const bound = Math.floor(256 / letters.length) * letters.length;
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length))) {
      if (byte < bound) text += letters[byte % letters.length];
    }
  }
  return text;
}
