import type { JoiningInvites } from '../features/accounts/registration/joining-invites.ts';
import { findRegisteringInvite } from '../features/communities/community-invites/register-with-invite.ts';
import {
  findAwaited,
  joinAwaited,
  lockAwaited,
  refuseAwaited,
} from '../features/communities/community-invites/waiting-invites.ts';
import type { HasMembershipBeginners } from '../features/communities/members/enter.ts';
import { MEMBERSHIP_BEGINNERS } from './membership-beginners.ts';

const ENTERING: HasMembershipBeginners = { membershipBeginners: MEMBERSHIP_BEGINNERS };

/** The invites to communities with which people register. */
export const JOINING_INVITES: JoiningInvites = {
  find: (ctx, code) => findRegisteringInvite({ ...ctx, ...ENTERING }, code),
  findAwaited,
  lockAwaited,
  joinAwaited: (tx, ctx, userId) => joinAwaited(tx, { ...ctx, ...ENTERING }, userId),
  refuseAwaited,
};
