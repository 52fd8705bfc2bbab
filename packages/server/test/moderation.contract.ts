import { parseId, type Id } from '@hearth/protocol';
import { askHistory, readHistory } from '@hearth/testing/clients/history-client';
import { LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import { ProfileClient } from '@hearth/testing/clients/profile-client';
import { readError } from '@hearth/testing/clients/read-error';
import { filePart } from '@hearth/testing/clients/upload-form';
import { asOwner } from '@hearth/testing/instances/as-owner';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import type { OwnerContext } from '../src/instance.ts';
import { banAuthor } from '../src/features/accounts/moderation/ban-author.ts';
import { banClients, listBans, unban } from '../src/features/accounts/moderation/bans.ts';
import { parseClientRange, type ClientRange } from '../src/client-range.ts';
import {
  pause,
  resume,
  setSlowMode,
} from '../src/features/accounts/moderation/owner-restrictions.ts';
import { PAUSABLE, type Term } from '../src/restrictions.ts';
import { accessCodeTests } from './access-code.contract.ts';
import type { ModeratedInstance } from './support/moderated-instance.ts';

/** Proves what owners can do to keep the peace, on an instance of any kind. */
export function moderationContract(
  name: string,
  start: () => Promise<ModeratedInstance>,
  { skip = false } = {},
): void {
  describe.skipIf(skip)(`on ${name},`, () => {
    let instance: ModeratedInstance;

    beforeAll(async () => {
      instance = await start();
    });

    afterAll(() => instance?.[Symbol.asyncDispose]());

    pauseTests(() => instance);
    banTests(() => instance);
    authorTests(() => instance);
    slowModeTests(() => instance);
    accessCodeTests(() => instance);
  });
}

const MESSAGE = '{"author":"ada","content":"good evening"}';

type At = Pick<TestInstance, 'addresses'>;

const post = ({ addresses }: At, client: LimitedClient) =>
  client.request('POST', `${addresses.rest}/messages`, MESSAGE);

const upload = ({ addresses }: At, client: LimitedClient) =>
  client.upload(`${addresses.files}/attachments`, filePart('a file'));

/** Resolves when every process answers with this status. */
async function untilStatus(
  { processes }: ModeratedInstance,
  request: (at: At) => Promise<Response>,
  status: number,
): Promise<void> {
  for (const at of processes) await until(async () => (await request(at)).status === status);
}

function ownerOf({ place }: ModeratedInstance) {
  return <Result>(work: (ctx: OwnerContext) => Promise<Result>) => asOwner(place, work);
}

function pauseTests(of: () => ModeratedInstance): void {
  test('[MO1, MO2] pausing refuses what is paused in every process of a running instance, until it is resumed', async () => {
    const instance = of();
    const client = new LimitedClient();
    const owner = ownerOf(instance);
    const term: Term = { until: Date.now() + 3_600_000, reason: 'maintenance' };
    await owner((ctx) => pause(ctx, OWNER, { what: ['posting'], term }));
    await untilStatus(instance, (at) => post(at, client), 403);
    for (const at of instance.processes) {
      const refused = await post(at, client);
      expect(limitHeaders(refused).requestCount).toBeGreaterThan(0);
      expect(await readError(refused)).toEqual({
        status: 403,
        message: 'This is paused for now',
        data: { code: 'paused', ...term },
      });
      expect((await upload(at, client)).status).toBe(200);
      expect((await askHistory(at)).status).toBe(200);
    }
    await owner((ctx) => pause(ctx, OWNER, { what: ['uploads'], term: {} }));
    await untilStatus(instance, (at) => upload(at, client), 403);
    for (const at of instance.processes) {
      expect((await readError(await upload(at, client))).data).toEqual({ code: 'paused' });
    }
    await owner((ctx) => resume(ctx, OWNER, ['posting']));
    await untilStatus(instance, (at) => post(at, client), 200);
    for (const at of instance.processes) expect((await upload(at, client)).status).toBe(403);
    await owner((ctx) => resume(ctx, OWNER, PAUSABLE));
    await untilStatus(instance, (at) => upload(at, client), 200);
  });

  test('[MO26] clients that ask are sent what is paused when they connect and when it changes, at every gateway', async () => {
    const instance = of();
    const owner = ownerOf(instance);
    const connectAll = (query: string) =>
      Promise.all(instance.processes.map((at) => ProfileClient.greeted(at, query)));
    const others = await connectAll('v=1&pauses=yes');
    const before = await connectAll('v=1&pauses=true');
    const posting: Term = { until: Date.now() + 3_600_000, reason: 'maintenance' };
    await owner((ctx) => pause(ctx, OWNER, { what: ['posting'], term: posting }));
    for (const client of before) await client.raw.until(() => pausesSentTo(client).length > 1);
    const over: Term = { until: Date.now() - 1 };
    await owner((ctx) => pause(ctx, OWNER, { what: ['uploads'], term: over }));
    await owner((ctx) => setSlowMode(ctx, OWNER, 1));
    await owner((ctx) => setSlowMode(ctx, OWNER, 0));
    const after = await connectAll('v=1&pauses=true');
    for (const client of after) await client.raw.until(() => pausesSentTo(client).length > 0);
    await owner((ctx) => resume(ctx, OWNER, PAUSABLE));
    for (const client of before) await client.raw.until(() => pausesSentTo(client).length > 2);
    for (const client of after) await client.raw.until(() => pausesSentTo(client).length > 1);
    for (const client of before) expect(pausesSentTo(client)).toEqual([{}, { posting }, {}]);
    for (const client of after) expect(pausesSentTo(client)).toEqual([{ posting }, {}]);
    for (const client of others) {
      expect(await isWelcome(client)).toBe(true);
      expect(client.ops).toEqual(['HELLO', 'PONG']);
    }
    for (const client of [...others, ...before, ...after]) client[Symbol.dispose]();
  });
}

/** The pauses that a client was sent, the newest last. */
function pausesSentTo({ payloads }: ProfileClient) {
  return payloads.flatMap((payload) => (payload.op === 'PAUSES' ? [payload.d] : []));
}

function banTests(of: () => ModeratedInstance): void {
  test('[MO2, MO5, MO6] a ban refuses posts and uploads of its clients in every process, and nothing else', async () => {
    const instance = of();
    const owner = ownerOf(instance);
    const [banned, neighbour] = [
      new LimitedClient('203.0.113.7'),
      new LimitedClient('203.0.114.7'),
    ];
    const term: Term = { until: Date.now() + 86_400_000, reason: 'spam' };
    const range = rangeOf('203.0.113.0/24');
    const ban = await owner((ctx) => banClients(ctx, OWNER, { range, term }));
    await untilStatus(instance, (at) => post(at, banned), 403);
    await untilStatus(instance, (at) => upload(at, banned), 403);
    for (const at of instance.processes) {
      for (const refused of [await post(at, banned), await upload(at, banned)]) {
        expect(await readError(refused)).toEqual({
          status: 403,
          message: 'You are banned from this server',
          data: { code: 'banned', ...term },
        });
      }
      expect((await post(at, neighbour)).status).toBe(200);
      expect((await banned.get(`${at.addresses.rest}/messages`)).status).toBe(200);
      expect((await banned.get(at.addresses.rest)).status).toBe(200);
    }
    expect(await owner((ctx) => listBans(ctx, OWNER))).toEqual([ban]);
    expect(await owner((ctx) => unban(ctx, OWNER, ban.id))).toBe('203.0.113.0/24');
    await untilStatus(instance, (at) => post(at, banned), 200);
    await untilStatus(instance, (at) => upload(at, banned), 200);
  });

  test('[MO2, MO8] a ban closes the connections of its clients to every gateway, and refuses new ones', async () => {
    const instance = of();
    const owner = ownerOf(instance);
    const headers = [`X-Real-IP: 2001:db8:7:7::1`];
    const connectAll = () =>
      Promise.all(instance.processes.map((at) => ProfileClient.connect(at, 'v=1', headers)));
    const before = await connectAll();
    for (const client of before) await client.raw.until(() => client.payloads.length > 0);
    const other = await ProfileClient.greeted(firstOf(instance));
    const range = rangeOf('2001:db8:7:7:ffff::');
    const term: Term = { until: Date.now() + 86_400_000, reason: 'spam' };
    await owner((ctx) => banClients(ctx, OWNER, { range, term }));
    for (const client of before) await client.raw.ended;
    const after = await connectAll();
    for (const client of after) await client.raw.ended;
    for (const client of [...before, ...after]) {
      expect(client.payloads.at(0)?.op).toBe('HELLO');
      expect(client.payloads.at(-1)).toMatchObject({
        op: 'DISCONNECT',
        d: { reason: 'banned', reconnect: false, ban: term },
      });
      expect(client.raw.closed).toEqual({ code: 1011, reason: 'Server error' });
    }
    expect(await isWelcome(other)).toBe(true);
    for (const client of [...before, ...after, other]) client[Symbol.dispose]();
    await owner((ctx) => unban(ctx, OWNER, '2001:db8:7:7::1'));
    for (const at of instance.processes) {
      await until(async () => {
        using client = await ProfileClient.connect(at, 'v=1', headers);
        return await isWelcome(client);
      });
    }
  });
}

function authorTests(of: () => ModeratedInstance): void {
  test('[MO7, MO9] the author of a message is banned by its id, whichever process took it, and nothing stored names both', async () => {
    const instance = of();
    const owner = ownerOf(instance);
    for (const [index, at] of instance.processes.entries()) {
      const spammer = new LimitedClient(`192.0.2.${index + 1}`);
      expect((await post(at, spammer)).status).toBe(200);
      const id = await newestId(instance);
      const ban = await owner((ctx) =>
        banAuthor(ctx, OWNER, { messageId: id, term: { reason: 'spam' } }),
      );
      expect(ban).toMatchObject({ clients: `192.0.2.${index + 1}`, reason: 'spam' });
      await untilStatus(instance, (each) => post(each, spammer), 403);
      const rows = await owner(async ({ database: { reader } }) => [
        await reader.selectFrom('ban_requests').selectAll().execute(),
        await reader.selectFrom('bans').selectAll().execute(),
      ]);
      expect(rows[0]).toEqual([]);
      expect(JSON.stringify(rows[1])).not.toContain(id);
      await owner((ctx) => unban(ctx, OWNER, ban.id));
    }
  });
}

function slowModeTests(of: () => ModeratedInstance): void {
  test('[MO2, MO10] slow mode lets each client post once in its seconds, whichever process it posts to', async () => {
    const instance = of();
    const owner = ownerOf(instance);
    const [client, other] = [new LimitedClient(), new LimitedClient()];
    await owner((ctx) => setSlowMode(ctx, OWNER, 3_600));
    // Every process lets this client through once at most, and only the first one after slow mode has begun.
    await untilStatus(instance, (at) => post(at, client), 429);
    for (const at of instance.processes) {
      const refused = await post(at, client);
      expect(limitHeaders(refused)).toMatchObject({ max: expect.any(Number), reset: 5_000 });
      const { data } = await readError(refused);
      const waitMs = Number(data?.['retry_after']);
      expect(waitMs).toBeWithin(1, 3_600_001);
      expect(refused.headers.get('retry-after')).toBe(String(Math.ceil(waitMs / 1000)));
    }
    const statuses: number[] = [];
    for (const at of instance.processes) statuses.push((await post(at, other)).status);
    expect(statuses).toEqual(statuses.map((_, index) => (index === 0 ? 200 : 429)));
    await owner((ctx) => setSlowMode(ctx, OWNER, 0));
    await untilStatus(instance, (at) => post(at, client), 200);
  });
}

/** Resolves with whether the gateway answers a client instead of closing its connection. */
async function isWelcome(client: ProfileClient): Promise<boolean> {
  client.raw.sendText('{"op":"PING"}');
  const answered = client.raw.until(() => client.ops.includes('PONG'));
  return answered.then(
    () => true,
    () => false,
  );
}

async function newestId(instance: ModeratedInstance): Promise<Id> {
  const [newest] = await readHistory(firstOf(instance), '?limit=1');
  return idOf(newest?.id ?? '');
}

function firstOf({ processes: [at] }: ModeratedInstance): At {
  if (at === undefined) throw new Error('the instance has no processes');
  return at;
}

function idOf(text: string): Id {
  const id = parseId(text);
  if (id === undefined) throw new Error(`"${text}" is not an identifier`);
  return id;
}

function rangeOf(text: string): ClientRange {
  const range = parseClientRange(text);
  if (range === undefined) throw new Error(`"${text}" is not a range`);
  return range;
}
