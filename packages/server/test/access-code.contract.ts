import { ACCESS_CODE_HEADER, accessProtocols } from '@hearth/protocol';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { LimitedClient } from '@hearth/testing/clients/limited-client';
import { ProfileClient } from '@hearth/testing/clients/profile-client';
import { readError } from '@hearth/testing/clients/read-error';
import { encodeForm, filePart } from '@hearth/testing/clients/upload-form';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import { setAccessCode } from '../src/features/accounts/moderation/owner-restrictions.ts';
import type { ModeratedInstance } from './support/moderated-instance.ts';

const CODE = 'k7mw-p3xd-9qht';
const MESSAGE = '{"author":"ada","content":"good evening"}';

/** A picture, which has sizes. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Requests that need the code. */
const GUARDED = [post, list, search, count, online, upload];

type At = ModeratedInstance['processes'][number];

/** Proves what an access code guards, on an instance of any kind. */
export function accessCodeTests(of: () => ModeratedInstance): void {
  const change = (code: string | undefined) =>
    asOwner(of().place, (ctx) => setAccessCode(ctx, OWNER, code));

  test('[MO2, MO15, MO17][SE10][SE28] a code guards messages, searches, uploads and the number of connections in every process, and no file or information', async () => {
    const { processes } = of();
    const client = new LimitedClient();
    for (const at of processes) expect(await isNeeded(at)).toBeUndefined();
    await change(CODE);
    for (const at of processes) {
      await until(async () => (await isNeeded(at)) === true);
      for (const request of GUARDED) {
        await until(async () => (await request(at, client)).status === 403);
        expect((await readError(await request(at, client))).data).toEqual({ code: 'access_code' });
        expect((await request(at, new LimitedClient(), 'another')).status).toBe(403);
        expect((await request(at, client, CODE)).status).toBe(200);
      }
      const uploaded = await upload(at, client, CODE);
      const { id } = (await uploaded.json()) as { readonly id: string };
      for (const path of [id, `media/${id}`, `media/${id}?size=96`]) {
        for (const code of [undefined, 'another', CODE]) {
          const answer = await ask(client, { url: `${at.addresses.files}/${path}` }, code);
          expect([path, answer.status]).toEqual([path, 200]);
        }
      }
      for (const path of ['/', '/capabilities', '/rate_limits', '/openapi.json']) {
        expect((await client.get(at.addresses.rest + path)).status).toBe(200);
      }
    }
    await change(undefined);
    for (const at of processes) {
      await until(async () => (await isNeeded(at)) === undefined);
      for (const request of GUARDED) {
        await until(async () => (await request(at, client)).status === 200);
      }
    }
  });

  test('[MO2, MO18] a code guards every gateway, also from clients that are connected already', async () => {
    const { processes } = of();
    const offer = offerOf(CODE);
    const headers = new LimitedClient().headerLines;
    for (const at of processes) {
      const [stranger, member] = [
        await ProfileClient.connect(at, 'v=1', headers),
        await ProfileClient.connect(at, 'v=1', [...headers, offer]),
      ];
      expect(member.raw.head).toContain('Sec-WebSocket-Protocol: hearth\r\n');
      for (const client of [stranger, member]) {
        await client.raw.until(() => client.payloads.length > 0);
      }
      await change(CODE);
      await stranger.raw.ended;
      const late = await ProfileClient.connect(at, 'v=1', headers);
      const guesser = [...new LimitedClient().headerLines, offerOf('another')];
      const wrong = await ProfileClient.connect(at, 'v=1', guesser);
      for (const refused of [late, wrong]) await refused.raw.ended;
      for (const refused of [stranger, late, wrong]) {
        expect(refused.payloads.at(-1)).toMatchObject({
          op: 'DISCONNECT',
          d: { reason: 'access_code', reconnect: false },
        });
        expect(refused.raw.closed).toEqual({ code: 1011, reason: 'Server error' });
      }
      using guest = await ProfileClient.connect(at, 'v=1', [...headers, offer]);
      for (const client of [member, guest]) {
        client.raw.sendText('{"op":"PING"}');
        await client.raw.until(() => client.ops.includes('PONG'));
      }
      await change('another-code');
      await Promise.all([member.raw.ended, guest.raw.ended]);
      await change(undefined);
      await until(async () => {
        const documented = await GatewayClient.connect(at.addresses.gateway);
        const answered = documented.ping().then(
          () => true,
          () => false,
        );
        const isOpen = await answered;
        documented.close();
        return isOpen;
      });
    }
  });

  test('[MO19] wrong codes of a client are limited, and then the right one is refused too', async () => {
    const { processes, isOneProcess } = of();
    const [at] = processes;
    if (at === undefined) throw new Error('the instance has no processes');
    await change(CODE);
    const [guesser, member] = [new LimitedClient(), new LimitedClient()];
    await until(async () => (await post(at, member)).status === 403);
    const statuses: number[] = [];
    for (let guess = 0; guess < 5; guess += 1) {
      statuses.push((await post(at, guesser, `guess-${guess}`)).status);
    }
    expect(statuses).toEqual([403, 403, 403, 429, 429]);
    // In several processes, the file service knows of no guess yet, and neither does a gateway.
    for (const request of isOneProcess ? GUARDED : [post, list, search, count]) {
      const refused = await request(at, guesser, CODE);
      const { status, data } = await readError(refused);
      expect([status, Object.keys(data ?? {})]).toEqual([429, ['retry_after']]);
      expect((await request(at, member, CODE)).status).toBe(200);
    }
    for (const each of processes) expect((await post(each, guesser, 'guess')).status).toBe(429);
    const offer = offerOf(CODE);
    const client = await ProfileClient.connect(at, 'v=1', [...guesser.headerLines, offer]);
    if (isOneProcess) {
      await client.raw.ended;
      expect(client.raw.closed?.reason).toBe('Client hit rate limit');
    }
    client[Symbol.dispose]();
    await change(undefined);
    for (const each of processes) {
      await until(async () => (await post(each, guesser)).status === 200);
    }
  });
}

/** The header line with which a client of the gateway gives a code. */
function offerOf(code: string): string {
  return `Sec-WebSocket-Protocol: ${accessProtocols(code).join(', ')}`;
}

async function isNeeded({ addresses }: At): Promise<boolean | undefined> {
  const answer = await fetch(`${addresses.rest}/capabilities`);
  const { access_code: isAsked } = (await answer.json()) as { readonly access_code?: boolean };
  return isAsked;
}

function post({ addresses }: At, client: LimitedClient, code?: string): Promise<Response> {
  return ask(client, { url: `${addresses.rest}/messages`, method: 'POST', body: MESSAGE }, code);
}

function list({ addresses }: At, client: LimitedClient, code?: string): Promise<Response> {
  return ask(client, { url: `${addresses.rest}/messages` }, code);
}

function search({ addresses }: At, client: LimitedClient, code?: string): Promise<Response> {
  return ask(client, { url: `${addresses.rest}/search?q=evening` }, code);
}

function count({ addresses }: At, client: LimitedClient, code?: string): Promise<Response> {
  return ask(client, { url: `${addresses.rest}/search/facets?q=evening` }, code);
}

function online({ addresses }: At, client: LimitedClient, code?: string): Promise<Response> {
  return ask(client, { url: `${addresses.rest}/online` }, code);
}

function upload({ addresses }: At, client: LimitedClient, code?: string): Promise<Response> {
  const { contentType, body } = encodeForm(filePart(PIXEL, 'a.gif'));
  const url = `${addresses.files}/attachments`;
  return ask(client, { url, method: 'POST', body, headers: { 'Content-Type': contentType } }, code);
}

function ask(
  { headers: own }: LimitedClient,
  { url, headers, ...init }: RequestInit & { readonly url: string },
  code: string | undefined,
): Promise<Response> {
  const given = code === undefined ? {} : { [ACCESS_CODE_HEADER]: code };
  return fetch(url, { ...init, headers: { ...own, ...given, ...(headers as object) } });
}
