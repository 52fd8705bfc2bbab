export { openIdentity } from './open-identity.ts';
export { openSharedIdentity } from './open-shared-identity.ts';
export { ownerIdentity } from './owner-identity.ts';
