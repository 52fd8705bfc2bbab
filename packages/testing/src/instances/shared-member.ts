import { LOBBY_STREAM } from '@hearth/protocol';
import { systemClock } from '../../../server/src/lib/clock.ts';
import type { HistoryBounds } from '../../../server/src/config/config.ts';
import {
  openSharedIdentity,
  type SharedIdentity,
} from '../../../server/src/features/platform/identity/open-shared-identity.ts';
import {
  messageJournal,
  type MessageJournal,
} from '../../../server/src/features/talk/lobby/message-journal.ts';
import { SharedHistory } from '../../../server/src/features/talk/lobby/shared-history.ts';
import { jsonLogger } from '../../../server/src/log/logger.ts';
import type { Bus } from '../../../server/src/ports/bus/bus.ts';
import { prepareStream, streamKeys } from '../../../server/src/ports/bus/redis-stream.ts';
import { redisBus } from '../../../server/src/ports/bus/redis.ts';
import type { Database } from '../../../server/src/ports/database/database.ts';
import { redisJournal } from '../../../server/src/ports/journal/redis.ts';
import { keyPrefix } from '../../../server/src/ports/redis-format.ts';
import { openRedisLink } from '../../../server/src/ports/redis-link.ts';
import { message } from '../ports/bus-recorder.ts';
import { patientPostgres } from '../servers/patient-postgres.ts';
import type { SharedEnvironment } from './cluster.ts';

const REPLAY = { events: 10_000, minutes: 10, bytes: 16 * 1024 ** 2 };
const JOURNAL_BYTES = 32 * 1024 ** 2;

/** The parts of an instance's process that post and list messages, on real servers. */
export interface SharedMember extends AsyncDisposable {
  readonly database: Database;
  readonly identity: SharedIdentity;
  readonly bus: Bus;
  readonly journal: MessageJournal;
  readonly history: SharedHistory;
  /** Resolves when the message was dispatched. */
  post(content: string): Promise<void>;
}

/** Opens these parts. */
export async function openSharedMember(
  { DATABASE_URL = '', REDIS_URL: url = '' }: SharedEnvironment,
  bounds: HistoryBounds,
): Promise<SharedMember> {
  await using resources = new AsyncDisposableStack();
  const log = jsonLogger('silent', () => {});
  const database = resources.use(await patientPostgres(DATABASE_URL));
  const identity = await openSharedIdentity(database, systemClock);
  const { instanceId, instanceKey, leaseIds } = identity;
  const keys = streamKeys(keyPrefix(instanceKey));
  const openLink = () =>
    openRedisLink({ url, log, greet: (connection) => prepareStream(connection, keys) });
  const link = resources.use(await openLink());
  const journal = messageJournal(redisJournal({ link, keys, instanceId }));
  const history = resources.use(
    new SharedHistory({ database, journal, clock: systemClock, log, bounds }),
  );
  const journalBounds = { messages: bounds.messages, bytes: JOURNAL_BYTES };
  const bus = resources.use(
    redisBus({
      ...{ link, keys, log, instanceId, leaseIds },
      openReader: openLink,
      journaled: LOBBY_STREAM,
      bounds: { replay: REPLAY, journal: journalBounds },
      onPlaced: (id) => history.append({ id }),
    }),
  );
  const owned = resources.move();
  return {
    database,
    identity,
    bus,
    journal,
    history,
    async post(content) {
      const { op, d } = message(content);
      await bus.append({ op, d: { ...d, created_at: systemClock.unixMs() } });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
