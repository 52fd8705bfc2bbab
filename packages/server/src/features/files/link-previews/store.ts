import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { PreviewKind, PreviewSubject } from './stored-preview.ts';
import type { LinkPreviewsTable } from './tables.ts';

export interface UsedUrl {
  readonly urlHash: string;
  readonly url: string;
  readonly nowMs: number;
}

/** Locks what is known of an address until the transaction ends; begins with nothing if there is no row. */
export async function lockUsed(
  db: Writer,
  { urlHash, url, nowMs }: UsedUrl,
): Promise<LinkPreviewsTable> {
  return await db
    .insertInto('link_previews')
    .values({
      url_hash: urlHash,
      url,
      state: 'waiting',
      title: '',
      description: '',
      site_name: '',
      picture_id: '',
      fetched_at_ms: 0,
      used_at_ms: nowMs,
    })
    .onConflict((conflict) => conflict.column('url_hash').doUpdateSet({ used_at_ms: nowMs }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Reads what is known of an address, locked until the transaction ends. */
export async function lockPreview(
  db: Writer,
  urlHash: string,
): Promise<LinkPreviewsTable | undefined> {
  return await db
    .selectFrom('link_previews')
    .selectAll()
    .where('url_hash', '=', urlHash)
    .forUpdate()
    .executeTakeFirst();
}

export async function selectPreview(
  db: Reader,
  urlHash: string,
): Promise<LinkPreviewsTable | undefined> {
  return await db
    .selectFrom('link_previews')
    .selectAll()
    .where('url_hash', '=', urlHash)
    .executeTakeFirst();
}

export async function updatePreview(
  db: Writer,
  urlHash: string,
  seen: Partial<Omit<LinkPreviewsTable, 'url_hash'>>,
): Promise<void> {
  await db.updateTable('link_previews').set(seen).where('url_hash', '=', urlHash).execute();
}

/** Notes that something shows an address. */
export async function insertUse(
  db: Writer,
  { kind, id, channelId }: PreviewSubject,
  { urlHash, isWaiting }: { readonly urlHash: string; readonly isWaiting: boolean },
): Promise<void> {
  const is_waiting = isWaiting ? 1 : 0;
  await db
    .insertInto('link_preview_uses')
    .values({
      kind,
      subject_id: id,
      channel_id: channelId,
      url_hash: urlHash,
      is_waiting,
    })
    .onConflict((conflict) => conflict.columns(['kind', 'subject_id', 'url_hash']).doNothing())
    .execute();
}

export async function deleteUses(db: Writer, kind: PreviewKind, ids: readonly Id[]): Promise<void> {
  await db
    .deleteFrom('link_preview_uses')
    .where('kind', '=', kind)
    .where('subject_id', 'in', ids)
    .execute();
}

/** The previews of these, as far as they are ready. */
export async function selectPreviewsOf(
  db: Reader,
  kind: PreviewKind,
  ids: readonly Id[],
): Promise<readonly (LinkPreviewsTable & { readonly subject_id: Id })[]> {
  return await db
    .selectFrom('link_preview_uses')
    .innerJoin('link_previews', 'link_previews.url_hash', 'link_preview_uses.url_hash')
    .selectAll('link_previews')
    .select('subject_id')
    .where('kind', '=', kind)
    .where('subject_id', 'in', ids)
    .where('state', '=', 'ready')
    .execute();
}

/** Reads what waits for an address, at most so many. */
export async function selectWaiting(
  db: Reader,
  urlHash: string,
  limit: number,
): Promise<readonly Pick<PreviewSubject, 'kind' | 'id'>[]> {
  const rows = await db
    .selectFrom('link_preview_uses')
    .select(['kind', 'subject_id'])
    .where('url_hash', '=', urlHash)
    .where('is_waiting', '=', 1)
    .orderBy('subject_id')
    .limit(limit)
    .execute();
  // Guarantee: only `requestPreviews` adds rows.
  return rows.map((row) => ({ kind: row.kind as PreviewKind, id: row.subject_id }));
}

/** Notes that the readers of these have what they waited for. */
export async function endWaiting(db: Writer, urlHash: string, ids: readonly Id[]): Promise<void> {
  await db
    .updateTable('link_preview_uses')
    .set({ is_waiting: 0 })
    .where('url_hash', '=', urlHash)
    .where('subject_id', 'in', ids)
    .execute();
}

/** Addresses that nothing shows, and that nobody has posted since then: at most so many. */
export async function selectUnused(
  db: Reader,
  beforeMs: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await unused(db, beforeMs).orderBy('used_at_ms').limit(limit).execute();
  return rows.map((row) => row.url_hash);
}

/** Resolves with whether nothing shows an address, and nobody has posted it since then. */
export async function isUnused(db: Reader, urlHash: string, beforeMs: number): Promise<boolean> {
  const row = await unused(db, beforeMs).where('url_hash', '=', urlHash).executeTakeFirst();
  return row !== undefined;
}

export async function deletePreview(db: Writer, urlHash: string): Promise<void> {
  await db.deleteFrom('link_previews').where('url_hash', '=', urlHash).execute();
}

function unused(db: Reader, beforeMs: number) {
  return db
    .selectFrom('link_previews')
    .select('url_hash')
    .where('used_at_ms', '<', beforeMs)
    .where((query) =>
      query.not(
        query.exists(
          query
            .selectFrom('link_preview_uses')
            .select('subject_id')
            .whereRef('link_preview_uses.url_hash', '=', 'link_previews.url_hash'),
        ),
      ),
    );
}
