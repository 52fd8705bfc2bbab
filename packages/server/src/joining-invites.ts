import { findRegisteringInvite } from './features/community-invites/register-with-invite.ts';
import {
  findAwaited,
  joinAwaited,
  lockAwaited,
  refuseAwaited,
} from './features/community-invites/waiting-invites.ts';
import type { JoiningInvites } from './features/registration/joining-invites.ts';

/** The invites to communities with which people register. */
export const JOINING_INVITES: JoiningInvites = {
  find: findRegisteringInvite,
  findAwaited,
  lockAwaited,
  joinAwaited,
  refuseAwaited,
};
