import type { Member } from '@hearth/protocol';
import { nameOfPerson } from '../../conversation/author.ts';

/** Returns what somebody is called in their community. */
export function nameOfMember({ nickname, user }: Pick<Member, 'nickname' | 'user'>): string {
  return nameOfPerson(user, nickname);
}
