import { requireNoCommunities } from './features/communities/communities/require-no-communities.ts';
import type { RequireEndable } from './features/accounts/own-account/end-account.ts';

/** What has to be settled before an account ends, by the features that know it. */
export const END_REQUIREMENTS: readonly RequireEndable[] = [requireNoCommunities];
