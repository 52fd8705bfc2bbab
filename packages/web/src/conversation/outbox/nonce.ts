const BYTES = 16;

/** A new nonce. Not `crypto.randomUUID`, which only pages over HTTPS and on localhost have. */
export function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
