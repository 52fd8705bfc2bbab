import type { OwnProfilePart } from '../features/accounts/own-account/find-me.ts';
import type { ProfilePart } from '../features/accounts/users/find-profile.ts';
import { describeUserStorage } from '../features/files/uploads/describe-storage.ts';
import { describePoints } from '../features/forum/points/find-points.ts';

export const PROFILE_PARTS: readonly ProfilePart[] = [
  // They are read at the same time.
  describePoints,
];

/** Parts of profiles that only their owners see. */
export const OWN_PROFILE_PARTS: readonly OwnProfilePart[] = [describeUserStorage];
