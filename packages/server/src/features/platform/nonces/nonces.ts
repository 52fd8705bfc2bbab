export { claimNonces } from './claim-nonce.ts';
export { listAppended } from './list-appended.ts';
export { onceEach, onceKey } from './once-each.ts';
export { correctNonces, findResult, nonceKey, rememberNonces, type UsedNonce } from './store.ts';
