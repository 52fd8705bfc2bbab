import { createHash } from 'node:crypto';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import { MAKE_PREVIEW } from './make-preview.ts';
import { REFRESHED_AFTER_MS, type PreviewKind, type PreviewSubject } from './stored-preview.ts';
import { deleteUses, insertUse, lockUsed, type UsedUrl } from './store.ts';

/** Something that is posted with an address. */
export type Requesting = PreviewSubject & { readonly url: string };

/**
 * Shows previews of addresses with what is posted, after the transaction: at once if there is one, and otherwise when it is made.
 * Something has one request for each address.
 */
export async function requestPreviews(
  { settings, clock }: Pick<Context, 'settings' | 'clock'>,
  tx: Transaction,
  all: readonly Requesting[],
): Promise<void> {
  if (!settings.rest.hasLinkPreviews) return;
  const nowMs = clock.unixMs();
  const requested = all.flatMap(({ url: given, ...subject }) => {
    const url = requestedUrl(given);
    return url === undefined ? [] : [{ subject, url, urlHash: hashOf(url) }];
  });
  // In one order everywhere, because each address is locked.
  for (const each of requested.toSorted((one, other) => (one.urlHash < other.urlHash ? -1 : 1))) {
    await request(tx, { ...each, nowMs });
  }
}

async function request(
  tx: Transaction,
  { subject, ...used }: UsedUrl & { readonly subject: PreviewSubject },
): Promise<void> {
  const { urlHash, nowMs } = used;
  const { state, fetched_at_ms: fetchedAtMs } = await lockUsed(tx.sql, used);
  const isOld = ageOf(fetchedAtMs, nowMs) >= REFRESHED_AFTER_MS;
  const isWaiting = isOld || state === 'ready';
  await insertUse(tx.sql, subject, { urlHash, isWaiting });
  if (!isWaiting) return;
  // Of one address there is one job at a time that makes it. One that has made it already may be about to end.
  const job = isOld
    ? { id: `link-preview:${urlHash}`, payload: { url_hash: urlHash }, nowMs }
    : { payload: { url_hash: urlHash, is_made: true }, nowMs };
  await addJob(tx, MAKE_PREVIEW, job);
}

/** Shows no previews with these any more. */
export async function dropPreviews(
  tx: Transaction,
  kind: PreviewKind,
  ids: readonly Id[],
): Promise<void> {
  if (ids.length > 0) await deleteUses(tx.sql, kind, ids);
}

function hashOf(url: string): string {
  return createHash('sha256').update(url).digest('hex');
}

/** The address without its fragment, which no server receives; undefined if it may not be requested. */
function requestedUrl(given: string): string | undefined {
  const url = URL.parse(given);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href;
}
