import type { Member, UserSummary } from '@hearth/protocol';

/** What somebody is called. */
export function nameOfUser(user: UserSummary): string {
  return user.display_name ?? user.username;
}

/** What somebody is called in their community. */
export function nameOfMember({ nickname, user }: Pick<Member, 'nickname' | 'user'>): string {
  return nickname ?? nameOfUser(user);
}
