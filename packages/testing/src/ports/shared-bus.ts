import { ID_EPOCH_SECONDS, IDS_PER_SECOND, LOBBY_STREAM } from '@hearth/protocol';
import {
  messageJournal,
  type MessageJournal,
} from '../../../server/src/features/talk/lobby/message-journal.ts';
import { jsonLogger, type Logger } from '../../../server/src/log/logger.ts';
import type { Bus, MostRemembered } from '../../../server/src/ports/bus/bus.ts';
import type { IdBlock } from '../../../server/src/ports/bus/redis-id-blocks.ts';
import {
  prepareStream,
  streamKeys,
  type StreamKeys,
} from '../../../server/src/ports/bus/redis-stream.ts';
import { redisBus } from '../../../server/src/ports/bus/redis.ts';
import { redisJournal } from '../../../server/src/ports/journal/redis.ts';
import { keyPrefix } from '../../../server/src/ports/redis-format.ts';
import { openRedisLink, type RedisLink } from '../../../server/src/ports/redis-link.ts';

/** The instance whose identifiers the tests make. */
export const INSTANCE_ID = 7;

const BOUNDS = {
  replay: { events: 10_000, minutes: 10, bytes: 16 * 1024 ** 2 },
  journal: { messages: 10_000, bytes: 32 * 1024 ** 2 },
};

/** Does the database's part for all processes of an instance: it leases consecutive blocks of identifiers. */
export class BlockSource {
  #mark = Math.floor(Date.now() / 1000 - ID_EPOCH_SECONDS) * IDS_PER_SECOND;
  leased = 0;
  /** Replaces its answer. */
  answer: (() => Promise<IdBlock>) | undefined;

  readonly lease = async (): Promise<IdBlock> => {
    if (this.answer !== undefined) return await this.answer();
    this.leased += 1;
    const first = this.#mark;
    this.#mark += this.blockSize;
    return { first, end: this.#mark, step: 1 };
  };

  readonly blockSize: number;

  constructor(blockSize = 4_096) {
    this.blockSize = blockSize;
  }
}

/** The parts of one process of an instance. */
export interface SharedBus extends AsyncDisposable {
  readonly bus: Bus;
  readonly journal: MessageJournal;
  readonly link: RedisLink;
  readonly keys: StreamKeys;
}

export interface SharedBusOptions {
  readonly url: string;
  /** A prefix that all processes of an instance share. */
  readonly prefix?: string;
  readonly blocks?: BlockSource;
  readonly bounds?: {
    readonly replay?: Partial<(typeof BOUNDS)['replay']>;
    readonly journal?: Partial<(typeof BOUNDS)['journal']>;
    readonly most?: MostRemembered;
  };
  readonly log?: Logger;
  /** The address that readers connect to, such as a relay of the test; the default is `url`. */
  readonly readerUrl?: string;
}

/** A prefix that no other instance has. */
export function freshPrefix(): string {
  return keyPrefix(crypto.randomUUID());
}

const SILENT = jsonLogger('silent', () => {});

/** The bus and the journal of one process of an instance. */
export async function openSharedBus(options: SharedBusOptions): Promise<SharedBus> {
  const { url, readerUrl = url, log = SILENT, blocks = new BlockSource(), bounds = {} } = options;
  await using resources = new AsyncDisposableStack();
  const keys = streamKeys(options.prefix ?? freshPrefix());
  const open = (at: string) =>
    openRedisLink({ url: at, log, greet: (connection) => prepareStream(connection, keys) });
  const link = resources.use(await open(url));
  const bus = resources.use(
    redisBus({
      link,
      keys,
      log,
      instanceId: INSTANCE_ID,
      leaseIds: blocks.lease,
      openReader: () => open(readerUrl),
      journaled: LOBBY_STREAM,
      bounds: {
        replay: { ...BOUNDS.replay, ...bounds.replay },
        journal: { ...BOUNDS.journal, ...bounds.journal },
        ...(bounds.most && { most: bounds.most }),
      },
    }),
  );
  const journal = messageJournal(redisJournal({ link, keys, instanceId: INSTANCE_ID }));
  const owned = resources.move();
  return { bus, journal, link, keys, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
