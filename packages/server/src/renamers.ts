import { renameMember } from './features/communities/members/rename-member.ts';
import type { RenamePerson } from './features/accounts/own-account/update-me.ts';

/** What is done with the new name of a person, by the features that list people by name. */
export const RENAMERS: readonly RenamePerson[] = [renameMember];
