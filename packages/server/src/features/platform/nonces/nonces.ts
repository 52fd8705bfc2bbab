export { claimNonces, onceEach, onceKey } from './claim-nonce.ts';
export { listAppended } from './list-appended.ts';
export { correctNonces, findResult, nonceKey, rememberNonces, type UsedNonce } from './store.ts';
