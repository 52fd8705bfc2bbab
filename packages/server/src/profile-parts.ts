import type { OwnProfilePart } from './features/own-account/find-me.ts';
import { describePoints } from './features/points/find-points.ts';
import { describeUserStorage } from './features/uploads/describe-user-storage.ts';
import type { ProfilePart } from './features/users/find-profile.ts';

/** What everyone sees of a person besides what the person says, by the features that know it. */
export const PROFILE_PARTS: readonly ProfilePart[] = [describePoints];

/** What only people themselves see of their accounts, by the features that know it. */
export const OWN_PROFILE_PARTS: readonly OwnProfilePart[] = [describeUserStorage];
