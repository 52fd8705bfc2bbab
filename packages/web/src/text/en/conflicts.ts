import type { ByConflict } from '@hearth/protocol';
import { laterConflicts } from './later-conflicts.ts';

/** Says what stands in the way, by the code of the error and by the field that it names. */
export const enConflicts: ByConflict<string> = {
  taken: {
    email: 'There is an account with this address already.',
    from_message: 'This message is a post already.',
    slug: 'This address is taken.',
    token: 'Another window has renewed your session. Load the page again.',
    totp: 'Your account has a second factor already.',
    user: 'This is the id of one account and the name of another.',
    username: 'This name is taken, or looks too much like one that is.',
  },
  too_many: {
    bans: 'There are 10,000 bans already. Ban ranges of addresses instead of single ones.',
    blocks:
      'Registration is blocked for 10,000 addresses already. Block ranges instead of single ones.',
    categories: 'A community has at most 50 categories. Delete one first.',
    channels: 'A community has at most 200 channels. Delete one first.',
    communities: 'You are in 100 communities, which is the most. Leave one first.',
    community: '1,000 people are waiting to join this community already. Try again later.',
    emoji: 'A message has at most 20 different reactions.',
    instance_invites: 'There are 1,000 invites to the server already. Revoke some first.',
    invites: 'A community has at most 100 invites. Revoke one first.',
    overwrites: 'A channel has settings for at most 50 roles and members. Remove some first.',
    pinned: 'At most 10 posts can be pinned in a channel. Unpin one first.',
    pins: 'At most 100 messages can be pinned in a channel. Unpin one first.',
    requests: 'You are waiting for 100 communities, which is the most. Take a request back first.',
    roles: 'A community has at most 100 roles. Delete one first.',
    saved: 'You have saved 1,000 posts, which is the most. Remove some first.',
    slug: 'The address has been changed 5 times within a year. It stays as it is for now.',
  },
  wrong_state: {
    community: 'This community has been restored already. Load the page again.',
    join: 'Everyone may join this community now. Load the page again.',
    member: 'You are a member of this community already. Load the page again.',
    owner_id: 'The community is yours. Hand it over before you leave it.',
    state: 'Somebody has changed this account in the meantime. Load the page again.',
  },
  not_questions: { comment_id: 'Answers can be accepted only in channels for questions.' },
  owns_communities: { communities: 'Hand over your communities first, or delete them.' },
  poll_ended: { option_ids: 'This poll has ended.' },
  verified: { email: 'Your email address has been confirmed already.' },
};

laterConflicts.value = enConflicts;
