import {
  channelSightOf,
  channelStream,
  communityStream,
  moderatorStream,
  NotFoundError,
  userStream,
} from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import {
  countMember,
  deleteMember,
  emitInChannels,
  isModerator,
  memberKey,
  type KnownChannel,
  type KnownCommunity,
  type MemberPair,
  type StoredMember,
} from '../structure/structure.ts';
import { deleteNames } from './names-store.ts';

/** Does what it means for a feature that a membership ends, in the transaction that ends it. */
export type EndsWithMembership = (tx: EmittingTransaction, member: MemberPair) => Promise<void>;

export interface HasMembershipEnders {
  readonly membershipEnders: readonly EndsWithMembership[];
}

/** The way in which a membership ended. */
export type EndReason = 'left' | 'kicked' | 'banned' | 'deleted';

/** A member of a community that is locked, as they were read in the transaction. */
interface MemberOf {
  readonly community: KnownCommunity;
  readonly member: StoredMember;
}

/**
 * Ends a membership in a community that is locked: no stream of the community is sent to the user from that place on. Unless they
 * leave, the caller calls `holdWriting` before: what was answered is an end, and nothing that the user writes is stored
 * afterwards. Throws NotFoundError if the user is not a member any more.
 */
export async function endMembership(
  tx: EmittingTransaction,
  { membershipEnders }: HasMembershipEnders,
  { community, member, reason }: MemberOf & { readonly reason: EndReason },
): Promise<void> {
  const { communityId, userId } = member;
  await endChannels(tx, { community, member }, () => false);
  if (!(await deleteMember(tx.sql, communityId, userId))) throw new NotFoundError();
  await deleteNames(tx.sql, communityId, userId);
  await countMember(tx, communityId, -1);
  tx.changed('members', memberKey(communityId, userId));
  for (const end of membershipEnders) await end(tx, { communityId, userId });
  const stream = communityStream(communityId);
  await tx.emit({ stream, end: { user: userId } }, { subject: stream });
  const own = userStream(userId);
  const d = { community_id: communityId, reason };
  await tx.emit({ stream: own, event: { op: 'MEMBER_LEAVE', d } }, { subject: own });
}

/** Ends the access to the streams of restricted channels and of the moderators that a member loses with other roles. */
export async function endLostChannels(
  tx: EmittingTransaction,
  { community, member }: MemberOf,
  changed: StoredMember,
): Promise<void> {
  await endChannels(tx, { community, member }, (channel) =>
    seesChannel({ community, member: changed }, channel),
  );
  if (!isModerator(community, member) || isModerator(community, changed)) return;
  const stream = moderatorStream(member.communityId);
  await tx.emit({ stream, end: { user: member.userId } }, { subject: stream });
}

async function endChannels(
  tx: EmittingTransaction,
  { community, member }: MemberOf,
  isKept: (channel: KnownChannel) => boolean,
): Promise<void> {
  const ended = [...community.channelById.values()].filter(
    (channel) =>
      channel.isRestricted && seesChannel({ community, member }, channel) && !isKept(channel),
  );
  await emitInChannels(
    tx,
    ended.map(({ id }) => {
      return {
        channelId: id,
        publication: { stream: channelStream(id), end: { user: member.userId } },
      };
    }),
  );
}

function seesChannel({ community, member }: MemberOf, { levels }: KnownChannel): boolean {
  const viewer = { kind: 'member', id: member.userId, role_ids: member.roleIds } as const;
  return channelSightOf(viewer, community, levels).follows;
}
