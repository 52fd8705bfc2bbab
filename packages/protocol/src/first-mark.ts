import { firstIdAt, parseId, type Id } from './ids.ts';

/**
 * Returns the point up to which a member counts as having read a channel that they have not opened: everything that is
 * older than the second in which they joined, by the `joined_at` of their membership. Ours.
 *
 * @example compareIds(channel.last_id, state?.last_read_id ?? firstMark(membership.joined_at)) > 0 // unread
 */
export function firstMark(joinedAtMs: number): Id {
  const first = BigInt(firstIdAt(joinedAtMs));
  return parseId(String(first > 0n ? first - 1n : 0n)) ?? firstIdAt(joinedAtMs);
}
