/** Letters and digits that cannot be confused. Their number divides 256, so that each is as likely as any other. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Random letters and digits. */
export function randomLetters(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
}
