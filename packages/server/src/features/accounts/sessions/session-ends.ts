import type { StreamEvent } from '@hearth/protocol';
import type { BusEvent } from '../../../ports/bus/bus.ts';
import type { Database } from '../../../ports/database/database.ts';

const SESSION_END: StreamEvent['op'] = 'SESSION_END';

/** The session that an event ends; undefined if it ends none. */
export function sessionEndedBy({ op, d }: BusEvent): string | undefined {
  return op === SESSION_END && 'id' in d ? String(d.id) : undefined;
}

/** Calls `listener` with each session that may have ended, or with `all`, until the returned function is called. */
export function onSessionChange(
  database: Pick<Database, 'onChange'>,
  listener: (session: string) => void,
): () => void {
  return database.onChange((changes) => {
    if (changes === 'unknown') return listener('all');
    for (const { kind, id } of changes) if (kind === 'sessions') listener(id);
  });
}
