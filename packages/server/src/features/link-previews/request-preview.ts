import { createHash } from 'node:crypto';
import { ageOf } from '../../lib/stored-moment.ts';
import type { Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../ports/database/database.ts';
import { addJob } from '../jobs/add-job.ts';
import { MAKE_PREVIEW } from './make-preview.ts';
import { REFRESHED_AFTER_MS } from './preview-times.ts';
import { deleteUses, insertUse, lockUsed } from './store.ts';
import type { PreviewKind, PreviewSubject } from './stored-preview.ts';

/**
 * Shows a preview of an address with something that is posted, after the transaction: at once if there is one, and otherwise
 * when it is made. Something has one request for each address.
 */
export async function requestPreview(
  { settings, clock }: Pick<Context, 'settings' | 'clock'>,
  tx: Transaction,
  { url: given, ...subject }: PreviewSubject & { readonly url: string },
): Promise<void> {
  const url = requestedUrl(given);
  if (!settings.rest.hasLinkPreviews || url === undefined) return;
  const nowMs = clock.unixMs();
  const urlHash = createHash('sha256').update(url).digest('hex');
  const { state, fetchedAtMs } = await lockUsed(tx.sql, { urlHash, url, nowMs });
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

/** The address without its fragment, which no server receives; undefined if it may not be requested. */
function requestedUrl(given: string): string | undefined {
  const url = URL.parse(given);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href;
}
