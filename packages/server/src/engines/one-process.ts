import { LOBBY_STREAM } from '@hearth/protocol';
import { lobbyMessageOf, openHistory } from '../features/talk/lobby/lobby.ts';
import { listAppended } from '../features/platform/nonces/nonces.ts';
import type { BusEvent } from '../ports/bus/bus.ts';
import { memoryBus } from '../ports/bus/memory.ts';
import type { Database } from '../ports/database/database.ts';
import { limitPolicies } from './limit-policies.ts';
import { memoryLimiter } from '../ports/limiter/memory.ts';
import { memoryPresence } from '../ports/presence/memory.ts';
import { memorySignals } from '../ports/signals/memory.ts';
import type { EngineParts, Engines } from './engines.ts';

/** Opens what a process keeps within itself if it is the whole instance. */
export async function openOneProcess(
  { config: { settings }, clock, log, resources }: EngineParts,
  database: Database,
  ids: Engines['ids'],
): Promise<Omit<Engines, 'blobs' | 'database'>> {
  const bounds = settings.rest.history;
  const history = resources.use(await openHistory({ database, clock, log, bounds }));
  const keep = ({ d }: BusEvent) => {
    const message = bounds.messages === 0 ? undefined : lobbyMessageOf(d);
    if (message !== undefined) history.append(message);
  };
  const appended = await listAppended(database, LOBBY_STREAM, clock);
  return {
    ids,
    history,
    bus: resources.use(memoryBus({ ids, journaled: LOBBY_STREAM, keep, appended })),
    limiter: resources.use(memoryLimiter(limitPolicies(settings), clock)),
    presence: resources.use(memoryPresence()),
    signals: resources.use(memorySignals({ clock, log })),
  };
}
