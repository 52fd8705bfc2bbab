import type { Id, Session } from '@hearth/protocol';
import type { StoredSession } from './store.ts';

/** A session, as its user sees it from the session `current`. */
export function describeSession(session: StoredSession, current: Id | undefined): Session {
  const { id, client, addressHint, createdAtMs, lastUsedAtMs } = session;
  return {
    id,
    ...(client !== undefined && { client }),
    created_at: createdAtMs,
    last_used_at: lastUsedAtMs,
    ...(addressHint !== '' && { address_hint: addressHint }),
    ...(id === current && { current: true }),
  };
}
