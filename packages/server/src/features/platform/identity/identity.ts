export { openIdentity, ownerIdentity } from './open-identity.ts';
export { openSharedIdentity } from './open-shared-identity.ts';
