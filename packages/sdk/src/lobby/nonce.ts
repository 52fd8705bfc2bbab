const BYTES = 16;

/** A new nonce. Not `crypto.randomUUID`, which browsers have only on pages over HTTPS and on localhost. */
export function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
