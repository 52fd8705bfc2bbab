import type { Id, Session } from '@hearth/protocol';
import type { SessionsTable } from './tables.ts';

/** A session, as its user sees it from the session `current`. */
export function describeSession(session: SessionsTable, current: Id | undefined): Session {
  const { id, client_name: name, client_platform: platform, address_hint: hint } = session;
  return {
    id,
    ...(name !== '' && { client: { name, platform } }),
    created_at: session.created_at_ms,
    last_used_at: session.last_used_at_ms,
    ...(hint !== '' && { address_hint: hint }),
    ...(id === current && { current: true }),
  };
}
