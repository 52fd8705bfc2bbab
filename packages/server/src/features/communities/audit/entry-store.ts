import type { AuditChange, Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { Swept } from '../../../ports/database/delete-after.ts';
import type { AuditEntriesTable } from './tables.ts';

/** An entry as it is stored. Text that does not apply is empty. */
export interface StoredEntry {
  readonly id: Id;
  readonly communityId: Id;
  readonly actorId: Id;
  readonly action: string;
  readonly targetKind: string;
  readonly targetId: string;
  readonly targetName: string;
  readonly channelId: Id | '';
  /** Whether the channel was restricted then. */
  readonly inRestricted: boolean;
  readonly reason: string;
  readonly changes: readonly AuditChange[];
  readonly createdAtMs: number;
}

export interface EntryRange {
  readonly communityId: Id;
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly actorId?: Id | undefined;
  readonly action?: string | undefined;
  /** The channels that the reader sees, and those that are hidden from them; undefined if they see all that there ever were. */
  readonly channels?: { readonly seen: readonly Id[]; readonly hidden: readonly Id[] } | undefined;
  readonly limit: number;
}

export async function insertEntry(db: Writer, entry: StoredEntry): Promise<void> {
  await db
    .insertInto('audit_entries')
    .values({
      community_id: entry.communityId,
      id: entry.id,
      actor_id: entry.actorId,
      action: entry.action,
      target_kind: entry.targetKind,
      target: entry.targetId,
      target_name: entry.targetName,
      channel_id: entry.channelId,
      in_restricted: entry.inRestricted ? 1 : 0,
      reason: entry.reason,
      changes: entry.changes.length === 0 ? '' : JSON.stringify(entry.changes),
      created_at_ms: entry.createdAtMs,
    })
    .execute();
}

/** Entries that are older than a moment, in the order in which they are removed. */
export function sweptEntries(beforeMs: number): Swept {
  return { table: 'audit_entries', where: {}, order: ['created_at_ms'], before: beforeMs };
}

/** Entries of a community, the newest first: those right after `after`, or the newest ones. */
export async function selectEntries(
  db: Reader,
  { communityId, after, before, actorId, action, channels, limit }: EntryRange,
): Promise<readonly StoredEntry[]> {
  let query = db.selectFrom('audit_entries').selectAll().where('community_id', '=', communityId);
  if (after !== undefined) query = query.where('id', '>', after);
  if (before !== undefined) query = query.where('id', '<', before);
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
  if (action !== undefined) query = query.where('action', '=', action);
  if (channels !== undefined) {
    // Of channels that are not there any more, only what happened while everyone saw them.
    query = query.where((own) =>
      own.or([
        own('channel_id', 'in', ['', ...channels.seen]),
        own.and([
          own('in_restricted', '=', 0),
          own('channel_id', 'not in', ['', ...channels.hidden]),
        ]),
      ]),
    );
  }
  const isForward = after !== undefined && before === undefined;
  const rows = await query
    .orderBy('id', isForward ? 'asc' : 'desc')
    .limit(limit)
    .execute();
  const entries = rows.map(entryOf);
  return isForward ? entries.toReversed() : entries;
}

function entryOf(row: AuditEntriesTable): StoredEntry {
  return {
    id: row.id,
    communityId: row.community_id,
    actorId: row.actor_id,
    action: row.action,
    targetKind: row.target_kind,
    targetId: row.target,
    targetName: row.target_name,
    channelId: row.channel_id,
    inRestricted: Number(row.in_restricted) > 0,
    reason: row.reason,
    changes: row.changes === '' ? [] : JSON.parse(row.changes),
    createdAtMs: row.created_at_ms,
  };
}
