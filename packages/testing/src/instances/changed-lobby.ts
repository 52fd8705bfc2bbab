import {
  LOBBY_STREAM,
  readPermissions,
  STAFF_PERMISSIONS,
  type Id,
  type StaffPermission,
} from '@hearth/protocol';
import { CompiledQuery } from 'kysely';
import type { Account } from '../../../server/src/actor.ts';
import { openHistory, type History } from '../../../server/src/features/talk/lobby/history.ts';
import { lobbyMessageOf } from '../../../server/src/features/talk/lobby/message-journal.ts';
import { listAppended } from '../../../server/src/features/platform/nonces/list-appended.ts';
import { KnownUsers } from '../../../server/src/features/accounts/users/known-users.ts';
import { ReservedNames } from '../../../server/src/features/accounts/users/reserved-names.ts';
import { insertUser } from '../../../server/src/features/accounts/users/store.ts';
import { takeName } from '../../../server/src/features/accounts/users/names/store.ts';
import type { InstanceContext } from '../../../server/src/instance-context.ts';
import { skeletonOf } from '../../../server/src/lib/skeleton.ts';
import { memoryBus } from '../../../server/src/ports/bus/memory.ts';
import type { Database } from '../../../server/src/ports/database/database.ts';
import { openOutbox } from '../../../server/src/ports/outbox/outbox.ts';
import { fakeClock, type FakeClock } from '../fake-clock.ts';
import { Recorder } from '../ports/bus-recorder.ts';
import { countedIds } from '../ports/id-source.ts';
import { sessionAccount } from '../session-account.ts';
import { until } from '../until.ts';
import { openTestContext } from './test-context.ts';

/** The lobby of an instance of one process on a database, without listeners. */
export class ChangedLobby implements AsyncDisposable {
  readonly ctx: InstanceContext;
  readonly clock: FakeClock;
  readonly history: History;
  readonly #recorder: Recorder;
  readonly #resources: AsyncDisposableStack;

  private constructor(
    parts: Pick<ChangedLobby, 'ctx' | 'clock' | 'history'>,
    recorder: Recorder,
    resources: AsyncDisposableStack,
  ) {
    ({ ctx: this.ctx, clock: this.clock, history: this.history } = parts);
    [this.#recorder, this.#resources] = [recorder, resources];
  }

  static async open(
    database: Database,
    bounds = { messages: 1_000, days: 1_000 },
  ): Promise<ChangedLobby> {
    await using resources = new AsyncDisposableStack();
    const owner = resources.use(await openTestContext());
    const [clock, ids, { log }] = [fakeClock(), countedIds(), owner];
    const history = resources.use(await openHistory({ database, clock, log, bounds }));
    const keep = ({ d }: { readonly d: object }) => {
      const message = lobbyMessageOf(d);
      if (message !== undefined) history.append(message);
    };
    const appended = await listAppended(database, LOBBY_STREAM, clock);
    const bus = resources.use(memoryBus({ ids, journaled: LOBBY_STREAM, keep, appended }));
    const recorder = new Recorder();
    await bus.subscribe(recorder);
    const rows = (await isEmbedded(database)) ? 'foreign' : 'all';
    const emitting = resources.use(openOutbox({ database, bus, clock, log, rows }));
    const names = resources.use(new ReservedNames({ database, clock }));
    const settings = { ...owner.settings, rest: { ...owner.settings.rest, history: bounds } };
    const users = new KnownUsers(database);
    const ctx = { ...owner, settings, database: emitting, clock, ids, bus, history, users, names };
    return new ChangedLobby({ ctx, clock, history }, recorder, resources.move());
  }

  /** The events that clients of profile 1 are sent, without their positions. */
  get events(): readonly { readonly op: string; readonly d: object }[] {
    return this.#recorder.taken.map(({ event }) => event);
  }

  /** Resolves when the events of everything that was committed are published. */
  async published(): Promise<void> {
    const { reader } = this.ctx.database;
    await until(async () => {
      const waiting = await reader.selectFrom('outbox').select('subject').limit(1).execute();
      return waiting.length === 0;
    });
  }

  /** Adds an account. */
  async addUser(username: string, permissions: readonly StaffPermission[] = []): Promise<Account> {
    const { ids, database, clock } = this.ctx;
    const id = await ids.next();
    const skeleton = await skeletonOf(username);
    const [staff, nowMs] = [readPermissions(STAFF_PERMISSIONS, permissions), clock.unixMs()];
    const texts = { display_name: '', email: '', email_key: username, password_hash: '' };
    await database.transaction(async (tx) => {
      const rest = { state: 'active', staff_permissions: staff, created_at_ms: nowMs } as const;
      await insertUser(tx.sql, { id, username, ...texts, ...rest });
      await takeName(tx, { skeleton, username, userId: id, nowMs });
    });
    return sessionAccount(id, id, { staff_permissions: staff, address: id });
  }

  /** The reactions that are stored, as `<user> <emoji>`. */
  async storedReactions(messageId: Id): Promise<readonly string[]> {
    const rows = await this.ctx.database.reader
      .selectFrom('message_reactions')
      .selectAll()
      .where('message_id', '=', messageId)
      .execute();
    return rows.map((row) => `${row.user_id} ${row.emoji}`).toSorted();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

/** Only the embedded engine commits one transaction after another, so that its events need no rows. */
function isEmbedded({ reader }: Database): Promise<boolean> {
  const query = CompiledQuery.raw('select sqlite_version()');
  return reader.executeQuery(query).then(
    () => true,
    () => false,
  );
}
