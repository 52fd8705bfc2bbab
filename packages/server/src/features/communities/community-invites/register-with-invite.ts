import type { Id, Joined } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { lockCommunity, readCommunity } from '../structure/structure.ts';
import { enter, type EnteringContext } from '../members/members.ts';
import type { JoiningInvite, UsedJoiningInvite } from '../../accounts/registration/registration.ts';
import { holdActiveUser } from '../../accounts/users/users.ts';
import { rolesGivenBy } from './given-roles.ts';
import { mayRegister, registeredToday, type InvitesContext } from './may-register.ts';
import { addRegistration, insertWaiting, upsertRegisteredAt } from './registrations-store.ts';
import { selectInvite, useInviteOnce, type StoredInvite } from './store.ts';

/** The context that it takes to decide who registers with an invite, and to let them in. */
type RegisteringContext = EnteringContext & InvitesContext;

/** The invite with this code, if somebody can register with it. */
export async function findRegisteringInvite(
  ctx: RegisteringContext & Pick<Context, 'database'>,
  code: string,
): Promise<JoiningInvite | undefined> {
  const { reader } = ctx.database;
  const invite = await selectInvite(reader, code);
  if (invite === undefined) return undefined;
  const community = await readCommunity(reader, invite.community_id);
  if (!(await mayRegister(reader, ctx, { invite, community }))) return undefined;
  const { community_id: communityId, created_by: createdBy } = invite;
  return { communityId, createdBy, use: (tx) => useToRegister(tx, ctx, invite) };
}

/**
 * Uses an invite for an account that is added in the same transaction. Returns the invite as it is then; undefined if nobody can register with it any more.
 */
async function useToRegister(
  tx: Transaction,
  ctx: RegisteringContext,
  { code, community_id: communityId }: StoredInvite,
): Promise<UsedJoiningInvite | undefined> {
  const { sql } = tx;
  const nowMs = ctx.clock.unixMs();
  if ((await lockCommunity(tx, communityId)) === undefined) return undefined;
  const invite = await selectInvite(sql, code);
  if (invite === undefined || invite.created_by === '') return undefined;
  const { created_by: createdBy } = invite;
  // Invites of one person to two communities wait for each other here, so that their day is counted right.
  if ((await holdActiveUser(tx, createdBy)) === undefined) return undefined;
  const community = await readCommunity(sql, communityId);
  if (!(await mayRegister(sql, ctx, { invite, community }))) return undefined;
  if (!(await useInviteOnce(sql, code, nowMs))) return undefined;
  await addRegistration(sql, code);
  const today = await registeredToday(sql, createdBy, nowMs);
  await upsertRegisteredAt(sql, createdBy, [...today, nowMs]);
  return {
    createdBy,
    join: (within, userId) => joinOnRegistering(within, ctx, { invite, userId }),
    joinOnApproval: (within, userId) => joinOnApproval(within, { invite, userId }),
  };
}

interface Newcomer {
  readonly invite: StoredInvite;
  readonly userId: Id;
}

/** Makes an account that was added in this transaction a member, as {@link useToRegister} has allowed. */
async function joinOnRegistering(
  tx: EmittingTransaction,
  ctx: EnteringContext,
  { invite, userId }: Newcomer,
): Promise<Joined> {
  const { community_id: communityId, channel_id: channelId } = invite;
  const community = await readCommunity(tx.sql, communityId);
  if (community === undefined) throw new Error('the community is not there');
  const roleIds = await rolesGivenBy(tx.sql, ctx, { community, invite });
  const { slug, channels } = await enter(tx, ctx, { communityId, userId, roleIds });
  const channel = channels.find(({ id }) => id === channelId);
  return {
    community_id: communityId,
    slug,
    ...(channel !== undefined && { channel_id: channel.id }),
  };
}

/** Lets an account that waits for approval join when it is approved. */
async function joinOnApproval(tx: Transaction, { invite, userId }: Newcomer): Promise<void> {
  const { code, community_id, created_by, role_ids } = invite;
  await insertWaiting(tx.sql, { user_id: userId, code, community_id, created_by, role_ids });
}
