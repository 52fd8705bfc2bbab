export { changesOf } from './changes-of.ts';
export { selectEntries, type EntryRange, type StoredEntry } from './entry-store.ts';

import type { AuditAction, AuditChange, AuditTargetKind, Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { insertEntry, type StoredEntry } from './entry-store.ts';

/** The entry for what somebody is about to do in a community. */
export type BegunEntry = Pick<StoredEntry, 'id' | 'community_id' | 'actor_id' | 'created_at_ms'>;

export interface Act {
  readonly action: AuditAction;
  readonly target?: {
    readonly kind: AuditTargetKind;
    readonly id: string;
    /** The name of a role or channel. Not for people, whose names change. */
    readonly name?: string;
  };
  /** The channel or category that it concerns: only those who see it see the entry. */
  readonly channel?: { readonly id: Id; readonly isRestricted: boolean };
  readonly reason?: string | undefined;
  readonly changes?: readonly AuditChange[];
}

/** Begins an entry, before the transaction: making an id may write. */
export async function beginEntry(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  { user_id: actorId }: Pick<Account, 'user_id'>,
  communityId: Id,
): Promise<BegunEntry> {
  const id = await ids.next();
  return { id, community_id: communityId, actor_id: actorId, created_at_ms: clock.unixMs() };
}

/**
 * Records what somebody does in the audit log of a community, in the transaction that does it. Each entry is for one act. The
 * verbs that run in `inCommunity` have an entry that was begun: `access.entry`.
 *
 * @example await audit(tx, access.entry, { action: 'member_kick', target: { kind: 'user', id: userId }, reason });
 */
export async function audit(
  { sql }: Transaction,
  entry: BegunEntry,
  { action, target, channel, reason = '', changes = [] }: Act,
): Promise<void> {
  await insertEntry(sql, {
    ...entry,
    action,
    target_kind: target?.kind ?? '',
    target: target?.id ?? '',
    target_name: target?.name ?? '',
    channel_id: channel?.id ?? '',
    in_restricted: channel?.isRestricted === true ? 1 : 0,
    reason,
    changes,
  });
}
