export { claimNonces, correctNonces, findResult } from './claim-nonce.ts';
export { listAppended } from './list-appended.ts';
export { onceEach, onceKey } from './once-each.ts';
export { rememberNonces } from './remember-nonces.ts';
export { nonceKey, type UsedNonce } from './used-nonce.ts';
