import type { Id, NewCommunity, OwnCommunity } from '@hearth/protocol';
import { usernameSchema } from '@hearth/protocol/schemas';
import type { Account, SessionAccount } from '../../server/src/actor.ts';
import { createCommunity } from '../../server/src/features/communities/communities/create-community.ts';
import { insertSession } from '../../server/src/features/accounts/sessions/store.ts';
import { addAccount } from '../../server/src/features/accounts/users/add-account.ts';
import { NO_PERMISSIONS } from '../../server/src/features/accounts/users/staff-permissions.ts';
import type { IdSource } from '../../server/src/ports/bus/id-source.ts';
import type { InstanceContext } from '../../server/src/instance-context.ts';
import type { AccessEnd, BusEvent } from '../../server/src/ports/bus/bus.ts';
import type { Database } from '../../server/src/ports/database/database.ts';
import { ownerOutbox, type EmittingDatabase } from '../../server/src/ports/outbox/outbox.ts';
import { withQueues } from '../../server/src/ports/outbox/with-queues.ts';
import { withLists } from '../../server/src/lists/lists.ts';
import { openState, type State } from '../../server/src/state.ts';
import { fakeClock, type FakeClock } from './fake-clock.ts';
import { CHEAP_PASSWORDS } from './instances/cheap-passwords.ts';
import { openTestContext } from './instances/test-context.ts';
import { countedIds } from './ports/id-source.ts';
import { sessionAccount } from './session-account.ts';
import type { TestDatabase } from './servers/each-database.ts';

/** An entry that a transaction emitted: an event, or the end of somebody's access. */
export interface Emitted {
  readonly stream: string;
  readonly event?: BusEvent;
  readonly end?: AccessEnd;
}

/** An event of a person, with the fields that tests read. */
export interface SentEvent {
  readonly op: string;
  readonly d: Readonly<Record<string, unknown>>;
}

/** The context of a process, until it is disposed. */
export type CommunityProcess = InstanceContext & AsyncDisposable;

/** A database with people, for tests of verbs about communities. */
export interface CommunityTest extends AsyncDisposable {
  readonly ctx: InstanceContext;
  readonly database: TestDatabase;
  readonly clock: FakeClock;
  /**
   * Opens the instance as another process does, with connections, identifiers and memory of its own. On the embedded engine,
   * that is what a command has beside the process that serves. A deaf one hears of no change.
   */
  another(options?: { readonly isDeaf?: boolean }): Promise<CommunityProcess>;
  /** Opens it as another process that serves has it, too. On the embedded engine, where only one serves, it is the same. */
  anotherServer(): Promise<CommunityProcess>;
  /** Returns the state of a process that has read nothing yet. */
  stateOn(database: EmittingDatabase): State;
  /** Adds a person, who is signed in. */
  person(username: string): Promise<SessionAccount>;
  /** Makes a community with a slug of its own; a private one unless `input` says otherwise. */
  garden(owner: Account, input?: Partial<NewCommunity>): Promise<OwnCommunity>;
  /** Resolves with what was emitted since the last call, in the order of the subjects. */
  emitted(): Promise<readonly Emitted[]>;
  /** Events that a person was sent since the last call, in order. */
  sentTo(person: Account): Promise<readonly SentEvent[]>;
}

/** Opens a database for tests of verbs about communities. */
export async function communityTest(open: () => Promise<TestDatabase>): Promise<CommunityTest> {
  await using resources = new AsyncDisposableStack();
  const database = resources.use(await open());
  const owner = resources.use(await openTestContext());
  const clock = fakeClock();
  const states = resources.use(new AsyncDisposableStack());
  const stateOn = (on: EmittingDatabase) =>
    openState({ ...owner, clock, database: on, resources: states, passwords: CHEAP_PASSWORDS });
  const contextOn = (opened: Database, ids: IdSource): InstanceContext => {
    // A busy machine is no busy place.
    const database = withQueues(ownerOutbox(opened), { waitMs: 60_000 });
    return withLists({ ...owner, ...stateOn(database), database, ids, clock });
  };
  const ctx = contextOn(database, countedIds({ number: 0, of: 2 }));
  const idsOfOthers = countedIds({ number: 1, of: 2 });
  const another = async ({ isDeaf = false } = {}) => {
    const again = await database.openAgain();
    const deaf = { onChange: () => () => {}, hearChanges: () => true };
    const opened = isDeaf ? { ...again, ...deaf } : again;
    return {
      ...contextOn(opened, idsOfOthers),
      [Symbol.asyncDispose]: () => again[Symbol.asyncDispose](),
    };
  };
  const owned = resources.move();
  let gardens = 0;
  return {
    ctx,
    database,
    clock,
    another,
    anotherServer: () =>
      database.engine === 'postgres'
        ? another()
        : Promise.resolve({ ...ctx, [Symbol.asyncDispose]: async () => {} }),
    stateOn,
    person: (username) => addPerson(ctx, username),
    garden(by, input = {}) {
      gardens += 1;
      const given = { name: 'Garden', slug: `garden-${gardens}`, kind: 'both' } as const;
      return createCommunity(ctx, by, { ...given, visibility: 'private', ...input });
    },
    emitted: () => takeEmitted(database),
    sentTo: ({ user_id }) => takeSent(database, user_id),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function addPerson(ctx: InstanceContext, username: string): Promise<SessionAccount> {
  const id = await ctx.ids.next();
  const sessionId: Id = await ctx.ids.next();
  await ctx.database.transaction(async (tx) => {
    await addAccount(tx, ctx, {
      id,
      username: usernameSchema.parse(username),
      skeleton: username,
      display_name: '',
      email: '',
      password_hash: '',
      state: 'active',
      staff_permissions: NO_PERMISSIONS,
    });
    await insertSession(tx.sql, {
      id: sessionId,
      userId: id,
      secretHash: '',
      client: undefined,
      addressHint: '',
      nowMs: ctx.clock.unixMs(),
    });
  });
  return sessionAccount(id, sessionId);
}

async function takeSent(database: TestDatabase, userId: Id): Promise<readonly SentEvent[]> {
  const rows = await database.reader
    .selectFrom('outbox')
    .selectAll()
    .where('stream', '=', `u:${userId}`)
    .orderBy('number')
    .execute();
  await database.transaction(({ sql }) => sql.deleteFrom('outbox').execute());
  return rows.map(({ entry }) => JSON.parse(entry).event);
}

async function takeEmitted(database: TestDatabase): Promise<readonly Emitted[]> {
  const rows = await database.reader
    .selectFrom('outbox')
    .selectAll()
    .orderBy('subject')
    .orderBy('number')
    .execute();
  await database.transaction(({ sql }) => sql.deleteFrom('outbox').execute());
  return rows.map(({ stream, entry }) => ({ stream, ...JSON.parse(entry) }));
}
