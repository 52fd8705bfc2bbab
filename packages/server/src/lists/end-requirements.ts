import type { RequireEndable } from '../features/accounts/own-account/end-account.ts';
import { requireNoCommunities } from '../features/communities/communities/require-no-communities.ts';

/** Checks that an account must pass before it ends. */
export const END_REQUIREMENTS: readonly RequireEndable[] = [requireNoCommunities];
