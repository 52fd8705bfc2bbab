import { EXPORTS_PATH, type AccountExport } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { StoredExport } from './store.ts';

/** The archive of a person as they see it. */
export function describeExport(
  { addresses }: Pick<Context, 'addresses'>,
  known: StoredExport | undefined,
): AccountExport {
  if (known === undefined) return { state: 'none' };
  const { state, done, total, key, requestedAtMs, expiresAtMs, sizeBytes } = known;
  const times = { requested_at: requestedAtMs, expires_at: expiresAtMs };
  if (state === 'failed') return { state, requested_at: requestedAtMs };
  if (state === 'working') return { state, requested_at: requestedAtMs, done, total };
  const url = `${addresses.files}${EXPORTS_PATH}/${key}`;
  return { state, ...times, size_bytes: sizeBytes, url };
}
