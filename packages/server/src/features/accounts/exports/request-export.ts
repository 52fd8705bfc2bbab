import {
  RateLimitedError,
  UnauthorizedError,
  NotFoundError,
  EXPORTS_PATH,
  type AccountExport,
} from '@hearth/protocol';
import type { Account, Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { ageOf } from '../../../lib/stored-moment.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import { releasing } from '../../platform/contents/contents.ts';
import { holdActiveUser } from '../users/users.ts';
import { EXPORT_ACCOUNT, KEPT_MS } from './export-account.ts';
import {
  deleteExport,
  insertExport,
  selectExport,
  selectArchive,
  type StoredExport,
} from './store.ts';

/** The time in milliseconds that an archive may wait until a process begins to make it. */
const BEGIN_MS = 3_600_000;

/** The time in milliseconds after which a person may ask for a new archive. */
const PAUSE_MS = 3_600_000;

/**
 * Begins to make an archive of everything that the instance has of a person, in place of an earlier one. While one is being
 * made, nothing changes; one that nobody has begun within an hour counts as failed. Throws RateLimitedError if the last one
 * is less than an hour old, and UnauthorizedError after the end of the account.
 */
export async function requestExport(
  ctx: Context,
  { user_id: userId }: Account,
): Promise<AccountExport> {
  const nowMs = ctx.clock.unixMs();
  await releasing(ctx, (release) =>
    ctx.database.transaction(async (tx) => {
      // Requests of one person wait for each other here.
      if ((await holdActiveUser(tx, userId)) === undefined) {
        throw new UnauthorizedError('token_ended');
      }
      const known = await selectExport(tx.sql, userId);
      if (known !== undefined && isBeingMade(ctx, known)) return;
      const waitMs = known?.state === 'ready' ? PAUSE_MS - ageOf(known.requested_at_ms, nowMs) : 0;
      if (waitMs > 0) throw new RateLimitedError(waitMs);
      // The job of one that nobody has begun is still there, and makes this one.
      const key = known?.state === 'working' ? known.key : randomKey();
      const blobKey = await deleteExport(tx.sql, userId);
      await insertExport(tx.sql, {
        user_id: userId,
        key,
        requested_at_ms: nowMs,
        expires_at_ms: nowMs + KEPT_MS,
      });
      if (blobKey !== undefined) await release(tx, blobKey);
      const payload = { user_id: userId, key };
      await addJob(tx, EXPORT_ACCOUNT, { payload, nowMs, id: `export-${key}` });
    }),
  );
  return describeExport(ctx, await selectExport(ctx.database.reader, userId));
}

/** Returns how far the archive of a person is, and where to fetch it. */
export async function findExport(
  ctx: Context,
  { user_id: userId }: Account,
): Promise<AccountExport> {
  const known = await selectExport(ctx.database.reader, userId);
  const hasExpired = (known?.expires_at_ms ?? 0) <= ctx.clock.unixMs();
  return describeExport(ctx, hasExpired ? undefined : known);
}

/** The archive under a key, which is the only thing that is needed to fetch it. Throws NotFoundError. */
export async function findArchive(
  { database, clock }: Context,
  _actor: Actor,
  { key }: { readonly key: string },
) {
  const archive = await selectArchive(database.reader, key, clock.unixMs());
  if (archive === undefined) throw new NotFoundError();
  const { user_id: userId, username, requested_at_ms: atMs, ...content } = archive;
  const day = new Date(atMs).toISOString().slice(0, 10);
  return { ...content, goesWith: [userId], name: `hearth-${username}-${day}.zip` };
}

/**
 * Returns whether the archive is being made, or will be soon. Otherwise the instance may have no file service, which
 * makes it.
 */
export function isBeingMade(
  { clock }: Pick<Context, 'clock'>,
  { state, total, requested_at_ms: atMs }: StoredExport,
): boolean {
  return state === 'working' && (total > 0 || ageOf(atMs, clock.unixMs()) < BEGIN_MS);
}

/** The archive of a person as they see it. */
export function describeExport(
  ctx: Pick<Context, 'addresses' | 'clock'>,
  known: StoredExport | undefined,
): AccountExport {
  if (known === undefined) return { state: 'none' };
  const { state, done, total, key, requested_at_ms: requested_at } = known;
  if (isBeingMade(ctx, known)) return { state: 'working', requested_at, done, total };
  if (state !== 'ready') return { state: 'failed', requested_at };
  const url = `${ctx.addresses.files}${EXPORTS_PATH}/${key}`;
  const size_bytes = known.size_bytes ?? 0;
  return { state, requested_at, expires_at: known.expires_at_ms, size_bytes, url };
}
