const BYTES = 16;

/**
 * A new nonce, which nobody else has: 32 hexadecimal digits. It also works on pages over plain HTTP, where browsers have no
 * `crypto.randomUUID`.
 */
export function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
