import { dropRequests } from './features/communities/join-requests/drop-request.ts';
import type { BeginMemberships } from './features/communities/members/enter.ts';
import { forgetAllReadStates } from './features/talk/read-states/forget-read-states.ts';

/** What is done when people become members, by the features that keep something of people before or afterwards. */
export const MEMBERSHIP_BEGINNERS: readonly BeginMemberships[] = [
  dropRequests,
  // A message that was posted while its author left may have added one.
  forgetAllReadStates,
];
