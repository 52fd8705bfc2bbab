import type { Context } from '../context.ts';
import type {
  HasEndRequirements,
  HasOwnProfileParts,
  HasPublicFiles,
  HasRenamers,
} from '../features/accounts/own-account/own-account.ts';
import type { HasJoiningInvites } from '../features/accounts/registration/registration.ts';
import type { HasPersonAnnouncers, HasProfileParts } from '../features/accounts/users/users.ts';
import type {
  HasMembershipBeginners,
  HasMembershipEnders,
} from '../features/communities/members/members.ts';
import type { HasFileUsers } from '../features/files/uploads/uploads.ts';
import { selectNamedPosts } from '../features/forum/posts/posts.ts';
import type { HasCapabilityParts } from '../features/platform/capabilities/capabilities.ts';
import type { KeepsHistory } from '../features/talk/lobby/lobby.ts';
import type { HasNamedPosts } from '../features/talk/mentions/mentions.ts';
import type { HasNotifiedTexts } from '../features/talk/notifications/notifications.ts';
import type { HasPlaces } from '../features/talk/places/places.ts';
import type { State } from '../state.ts';
import { capabilityParts } from './capability-parts.ts';
import { END_REQUIREMENTS } from './end-requirements.ts';
import { FILE_USERS } from './file-users.ts';
import { JOINING_INVITES } from './joining-invites.ts';
import { MEMBERSHIP_BEGINNERS } from './membership-beginners.ts';
import { MEMBERSHIP_ENDERS } from './membership-enders.ts';
import { NOTIFIED_TEXTS } from './notified-texts.ts';
import { PERSON_ANNOUNCERS } from './person-announcers.ts';
import { PLACE_KINDS } from './place-kinds.ts';
import { OWN_PROFILE_PARTS, PROFILE_PARTS } from './profile-parts.ts';
import { PUBLIC_FILES } from './public-files.ts';
import { RENAMERS } from './renamers.ts';

/**
 * The lists that verbs take from the context: functions of features that the caller may not import, such as what is done when a
 * membership ends. The calling feature declares their type and an interface `Has…`; most lists are a file beside this one.
 */
export interface Lists
  extends
    HasCapabilityParts,
    HasEndRequirements,
    HasFileUsers,
    HasJoiningInvites,
    HasNamedPosts,
    HasNotifiedTexts,
    HasMembershipBeginners,
    HasMembershipEnders,
    HasOwnProfileParts,
    HasPersonAnnouncers,
    HasPlaces,
    HasProfileParts,
    HasPublicFiles,
    HasRenamers {}

/** The context that entries of lists may take. */
type ListContext = Context & KeepsHistory & State;

/** Adds the lists to the context of an instance. */
export function withLists<Ctx extends ListContext>(ctx: Ctx): Ctx & Lists {
  return {
    ...ctx,
    capabilityParts: capabilityParts(ctx),
    endRequirements: END_REQUIREMENTS,
    fileUsers: FILE_USERS,
    findNamedPosts: selectNamedPosts,
    joiningInvites: JOINING_INVITES,
    notifiedTexts: NOTIFIED_TEXTS,
    membershipBeginners: MEMBERSHIP_BEGINNERS,
    membershipEnders: MEMBERSHIP_ENDERS,
    ownProfileParts: OWN_PROFILE_PARTS,
    personAnnouncers: PERSON_ANNOUNCERS,
    profileParts: PROFILE_PARTS,
    publicFiles: PUBLIC_FILES,
    places: PLACE_KINDS,
    renamers: RENAMERS,
  };
}
