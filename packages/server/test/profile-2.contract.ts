import { AccountClient } from '@hearth/testing/clients/account-client';
import { postMessage } from '@hearth/testing/clients/post-message';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { userStream, type SignedIn } from '@hearth/protocol';
import { signedInSchema, tokenSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { OwnerContext } from '../src/instance.ts';

type Addressed = Pick<TestInstance, 'addresses'>;

/** An instance, and a context that changes its data. */
export interface Stage extends AsyncDisposable {
  readonly ctx: OwnerContext;
  /** The instance through each of its gateways, at least one. */
  readonly gateways: readonly [Addressed, ...Addressed[]];
}

const PASSWORD = 'correct horse battery';

/** Defines what clients of profile 2 can rely on, with any engines. */
export function profile2Contract(name: string, open: () => Promise<Stage>, { skip = false } = {}) {
  describe.skipIf(skip)(`gateway profile 2, ${name}`, () => {
    let stage: Stage;
    let names = 0;
    beforeAll(async () => {
      stage = await open();
    });
    afterAll(() => stage[Symbol.asyncDispose]());

    /** The instance through another gateway each time, if there are several. */
    let turns = 0;
    const instance = (): Addressed => {
      turns += 1;
      return stage.gateways[turns % stage.gateways.length] ?? stage.gateways[0];
    };
    const ask = async (method: string, path: string, { token = '', body = {} } = {}) => {
      const answer = await fetch(`${stage.gateways[0].addresses.rest}${path}`, {
        method,
        ...(token !== '' && { headers: { Authorization: `Bearer ${token}` } }),
        ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
      });
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.json();
    };
    const newUser = async (): Promise<SignedIn> => {
      names += 1;
      const username = `user${names}`;
      const body = { username, email: `${username}@example.org`, password: PASSWORD };
      return signedInSchema.parse(await ask('POST', '/users', { body }));
    };
    const again = async ({ user: { username } }: SignedIn) => {
      const body = { username, password: PASSWORD };
      return signedInSchema.parse(await ask('POST', '/auth', { body }));
    };
    const endSession = ({ token, session }: SignedIn, id = session.id) =>
      ask('DELETE', `/sessions/${id}`, { token });
    /** Changes a user. */
    const change = ({ token }: SignedIn, bio = 'new') =>
      ask('PATCH', '/users/me', { token, body: { bio } });

    test('[GP1][GP3] a guest is greeted, let in to the lobby and sent its events', async () => {
      const [first] = stage.gateways;
      using client = await AccountClient.connect(first, { query: 'v=3&token=x&epoch=E&s=1' });
      const limits = { gateway_events: { limit: 100_000, reset_after: 60 }, payload_bytes: 65_536 };
      expect(client.one('HELLO').d).toMatchObject({
        v: 2,
        heartbeat_interval: 45_000,
        authenticate_within: 10_000,
        limits: { ...limits, gateway_events: { limit: 100_000 } },
      });
      client.authenticate(undefined);
      await client.until('READY');
      expect(Object.keys(client.one('READY').d)).toEqual(['streams']);
      await postMessage(first, 'hello');
      await client.until('MESSAGE_CREATE');
      const [, at = NaN] = client.one('READY').d.streams['lobby'] ?? [];
      expect(client.eventsOf('lobby')).toEqual([['MESSAGE_CREATE', at + 1]]);
      expect(client.one('MESSAGE_CREATE').d).toMatchObject({ content: 'hello' });
    });

    test('[GP4][GP14] a user is sent who it is, and what changes, on all devices and to nobody else', async () => {
      const [ada, eve] = [await newUser(), await newUser()];
      using one = await AccountClient.enter(instance(), { token: ada.token });
      using other = await AccountClient.enter(instance(), { token: (await again(ada)).token });
      using foreign = await AccountClient.enter(instance(), { token: eve.token });
      const { user, session, streams } = one.one('READY').d;
      expect(user).toEqual(ada.user);
      expect(session).toEqual({ ...ada.session, last_used_at: session?.last_used_at ?? 0 });
      const own = userStream(ada.user.id);
      expect(Object.keys(streams)).toEqual(['lobby', own]);
      await change(ada);
      await change(eve);
      for (const client of [one, other]) {
        await client.until('USER_UPDATE');
        const d = { ...ada.user, bio: 'new', version: ada.user.version + 1 };
        expect(client.one('USER_UPDATE')).toMatchObject({ t: own, d });
      }
      await foreign.until('USER_UPDATE');
      expect(foreign.one('USER_UPDATE').d.id).toBe(eve.user.id);
    });

    test('[GP7][GP9] a client comes back through any gateway, and gets what it has missed of every stream', async () => {
      const ada = await newUser();
      const own = userStream(ada.user.id);
      const before = await AccountClient.enter(instance(), { token: ada.token });
      await postMessage(instance(), 'seen');
      await change(ada);
      await before.until('MESSAGE_CREATE');
      await before.until('USER_UPDATE');
      const { places } = before;
      before[Symbol.dispose]();
      await change(ada, 'missed');
      await postMessage(instance(), 'missed');
      const resume = { ...places, 'u:7': places[own] ?? ['', 0] };
      using back = await AccountClient.enter(instance(), { token: ada.token, resume });
      await change(ada, 'newer');
      await back.until('USER_UPDATE', 2);
      await back.until('MESSAGE_CREATE');
      const { recovered, lost, streams } = back.one('RESUMED').d;
      expect([recovered, lost, streams]).toEqual([['lobby', own], ['u:7'], places]);
      const [, of = NaN] = places[own] ?? [];
      expect(back.eventsOf(own)).toEqual([
        ['USER_UPDATE', of + 1],
        ['USER_UPDATE', of + 2],
      ]);
      expect(back.one('MESSAGE_CREATE').d.content).toBe('missed');
    });

    test('[GP8] a client whose place cannot be continued is sent READY', async () => {
      const ada = await newUser();
      using before = await AccountClient.enter(instance(), { token: ada.token });
      const resume = { ...before.places, [userStream(ada.user.id)]: ['another', 1] as const };
      using back = await AccountClient.connect(instance());
      back.authenticate({ token: ada.token, resume });
      await back.until('READY');
      expect(back.one('READY').d).toMatchObject({ recovered: ['lobby'], user: ada.user });
    });

    test('[GP10] a wrong token, and that of a session that has ended, close the connection without reconnecting', async () => {
      const ada = await newUser();
      await endSession(ada);
      for (const token of ['wrong', `${ada.token}x`, ada.token]) {
        using client = await AccountClient.enter(instance(), { token });
        await client.raw.ended;
        expect(client.ops).toEqual(['HELLO', 'DISCONNECT']);
        expect(client.one('DISCONNECT').d).toMatchObject({
          reason: 'unauthorized',
          reconnect: false,
        });
        expect(client.raw.closed).toEqual({ code: 1011, reason: 'Server error' });
      }
    });

    test('[GP13] the connections of a session that ends are sent the end and closed, and those of others are sent it', async () => {
      const ada = await newUser();
      const ended = await again(ada);
      const clients = [];
      for (let count = 0; count < 2; count += 1) {
        clients.push(await AccountClient.enter(instance(), { token: ended.token }));
        clients.push(await AccountClient.enter(instance(), { token: ended.token }));
      }
      using staying = await AccountClient.enter(instance(), { token: ada.token });
      await endSession(ada, ended.session.id);
      for (const client of clients) {
        await client.raw.ended;
        expect(client.ops.slice(2)).toEqual(['SESSION_END', 'DISCONNECT']);
        expect(client.one('DISCONNECT').d.reason).toBe('unauthorized');
      }
      await staying.until('SESSION_END');
      expect(staying.one('SESSION_END').d).toEqual({ id: ended.session.id });
      const { token } = tokenSchema.parse(
        await ask('POST', '/sessions/current/token', { token: ada.token }),
      );
      await ask('DELETE', '/sessions', { token });
      await change(ada);
      await staying.until('USER_UPDATE');
      expect(staying.ops.slice(2)).toEqual(['SESSION_END', 'USER_UPDATE']);
      for (const client of clients) client[Symbol.dispose]();
    });

    test('[GP13] a new password closes the connections of all other sessions, and keeps those of its own', async () => {
      const ada = await newUser();
      using other = await AccountClient.enter(instance(), { token: (await again(ada)).token });
      using own = await AccountClient.enter(instance(), { token: ada.token });
      const body = { password: 'another horse battery', current_password: PASSWORD };
      const changed = signedInSchema.parse(
        await ask('PATCH', '/users/me', { token: ada.token, body }),
      );
      await other.raw.ended;
      expect(other.one('DISCONNECT').d.reason).toBe('unauthorized');
      await change(changed, 'later');
      await own.until('USER_UPDATE', 2);
      expect(own.ops.slice(0, 2)).toEqual(['HELLO', 'READY']);
      expect(new Set(own.ops.slice(2))).toEqual(new Set(['SESSION_END', 'USER_UPDATE']));
      using back = await AccountClient.enter(instance(), { token: changed.token });
      expect(back.one('READY').d.session?.id).toBe(ada.session.id);
      using stale = await AccountClient.enter(instance(), { token: ada.token });
      await stale.raw.ended;
      expect(stale.one('DISCONNECT').d.reason).toBe('unauthorized');
    });

    test('[GP13] a session that ends while its clients come in keeps none of them', async () => {
      const ada = await newUser();
      const ending = await again(ada);
      const coming = Array.from({ length: 20 }, () =>
        AccountClient.enter(instance(), { token: ending.token }),
      );
      await Promise.race(coming);
      await endSession(ada, ending.session.id);
      coming.push(AccountClient.enter(instance(), { token: ending.token }));
      for (const client of await Promise.all(coming)) {
        await client.raw.ended;
        expect(client.one('DISCONNECT').d.reason).toBe('unauthorized');
        client[Symbol.dispose]();
      }
    });

    test('[GP13] a session that only the database knows to have ended is closed, too', async () => {
      const ada = await newUser();
      using client = await AccountClient.enter(instance(), { token: ada.token });
      await stage.ctx.database.transaction(async (tx) => {
        await tx.sql
          .updateTable('sessions')
          .set({ ended_at_ms: 1 })
          .where('id', '=', ada.session.id)
          .execute();
        tx.changed('sessions', ada.session.id);
      });
      await client.raw.ended;
      expect(client.ops.slice(2)).toEqual(['DISCONNECT']);
    });

    test('[GP17] a client is sent the number of connections and the pauses if it asks for them', async () => {
      using asking = await AccountClient.enter(instance(), { online: true, pauses: true });
      await asking.until('ONLINE');
      await asking.until('PAUSES');
      expect(asking.ops.slice(0, 2)).toEqual(['HELLO', 'READY']);
      using silent = await AccountClient.enter(instance());
      await silent.ping();
      expect(silent.ops).toEqual(['HELLO', 'READY', 'PONG']);
    });
  });
}
