import type { RenamePerson } from '../features/accounts/own-account/update-me.ts';
import { renameMember } from '../features/communities/members/rename-member.ts';

/** Functions that update lists of names when a person is renamed. */
export const RENAMERS: readonly RenamePerson[] = [renameMember];
