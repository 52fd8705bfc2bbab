import type { LobbyMessage } from '@hearth/protocol';
import { deletedUser, type KeepsUsers } from '../../accounts/users/users.ts';

/** Messages with what others see of their authors now. Without its author, a message has only the author's id. */
export async function withUsers(
  { users }: KeepsUsers,
  messages: readonly LobbyMessage[],
): Promise<readonly LobbyMessage[]> {
  const ids = messages.flatMap(({ user }) => (user === undefined ? [] : [user.id]));
  if (ids.length === 0) return messages;
  const known = await users.all(ids);
  return messages.map((message) => {
    if (message.user === undefined) return message;
    const { id } = message.user;
    const user = known.get(id) ?? deletedUser(id);
    return { ...message, user, ...(user.deleted === true && { author: user.username }) };
  });
}
