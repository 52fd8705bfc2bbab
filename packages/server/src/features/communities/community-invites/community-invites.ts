export { findInvite } from './find-invite.ts';
