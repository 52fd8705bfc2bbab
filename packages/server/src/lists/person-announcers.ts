import type { AnnouncePerson } from '../features/accounts/users/announce-person.ts';
import { announceInCommunities } from '../features/communities/members/announce-in-communities.ts';

/** Functions that announce a person who has changed, by the features that show people. */
export const PERSON_ANNOUNCERS: readonly AnnouncePerson[] = [announceInCommunities];
