import { EXPORTS_PATH, type AccountExport } from '@hearth/protocol';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { Context } from '../../../context.ts';
import type { StoredExport } from './store.ts';

/** How long an archive may wait until a process begins to make it, in milliseconds. */
const BEGIN_MS = 3_600_000;

/** Whether the archive is being made, or will be soon. Otherwise the instance may have no file service, which makes it. */
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
