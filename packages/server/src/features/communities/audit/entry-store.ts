import type { AuditChange, Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { Swept } from '../../../ports/database/delete-after.ts';
import type { AuditEntriesTable } from './tables.ts';

/** An entry as it is stored, with its changes as they were made. Text that does not apply is empty. */
export type StoredEntry = Omit<AuditEntriesTable, 'changes'> & {
  readonly changes: readonly AuditChange[];
};

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

export async function insertEntry(
  db: Writer,
  { changes: made, ...entry }: StoredEntry,
): Promise<void> {
  const changes = made.length === 0 ? '' : JSON.stringify(made);
  await db
    .insertInto('audit_entries')
    .values({ ...entry, changes })
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
  const entries = rows.map(({ changes, ...entry }): StoredEntry => {
    return { ...entry, changes: changes === '' ? [] : JSON.parse(changes) };
  });
  return isForward ? entries.toReversed() : entries;
}
