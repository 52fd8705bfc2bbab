import type { OwnProfilePart } from './features/accounts/own-account/find-me.ts';
import { describePoints } from './features/forum/points/find-points.ts';
import { describeUserStorage } from './features/files/uploads/describe-user-storage.ts';
import type { ProfilePart } from './features/accounts/users/find-profile.ts';

/** What everyone sees of a person besides what the person says, by the features that know it. */
export const PROFILE_PARTS: readonly ProfilePart[] = [describePoints];

/** What only people themselves see of their accounts, by the features that know it. */
export const OWN_PROFILE_PARTS: readonly OwnProfilePart[] = [describeUserStorage];
