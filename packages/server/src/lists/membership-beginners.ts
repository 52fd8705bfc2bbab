import { dropRequests } from '../features/communities/join-requests/drop-request.ts';
import type { BeginMemberships } from '../features/communities/members/enter.ts';
import { forgetAllReadStates } from '../features/talk/read-states/forget-read-states.ts';

/** Functions that run when people become members. */
export const MEMBERSHIP_BEGINNERS: readonly BeginMemberships[] = [
  dropRequests,
  // A message that was posted while its author left may have added one.
  forgetAllReadStates,
];
