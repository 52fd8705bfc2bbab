import { formatId, type Id } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { newTokenSecret, TOKEN_S } from './token-claims.ts';
import { newTokenKeys, rotated, tokenKeysSchema, type TokenKeys } from './token-keys.ts';
import { Tokens } from './tokens.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const clock = fakeClock();
const idOf = (sequence: number): Id => formatId({ seconds: 100, instanceId: 1, sequence });
const who = () => ({ userId: idOf(1), sessionId: idOf(2), secret: newTokenSecret() });

async function start() {
  let keys = await newTokenKeys();
  return {
    tokens: new Tokens({ current: async () => keys, newest: async () => keys }, clock),
    get keys() {
      return keys;
    },
    async rotate() {
      keys = await rotated(keys, { nowMs: clock.unixMs(), overlapMs: WEEK_MS });
    },
  };
}

/** The payload of a token of ours, which a test can change. */
function payload(changes: Readonly<Record<string, unknown>> = {}): JWTPayload {
  const iat = Math.floor(clock.unixMs() / 1_000);
  const { userId: sub, sessionId: sid, secret: jti } = who();
  return { sub, sid, jti, iat, exp: iat + TOKEN_S, ...changes };
}

async function signed({ keys: [key] }: TokenKeys, claims: JWTPayload, header: object = {}) {
  if (key?.d === undefined) throw new Error('no key');
  const { kty, crv, x, d } = key;
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, ...header })
    .sign(await importJWK({ kty, crv, x, d }, 'EdDSA'));
}

describe('[AC3] a token', () => {
  test('a token says whose it is, for 400 days', async () => {
    const { tokens } = await start();
    const claims = who();
    const token = await tokens.sign(claims);
    expect(token.length).toBeLessThan(400);
    expect(await tokens.read(token)).toMatchObject(claims);
    clock.halt(TOKEN_S * 1_000 - 1_000);
    expect(await tokens.read(token)).toMatchObject(claims);
    clock.halt(2_000);
    expect(await tokens.read(token)).toBeUndefined();
  });

  test('[SC27] a token is accepted by a process whose clock is late, and after the clock was set back', async () => {
    const { tokens, keys } = await start();
    const source = { current: async () => keys, newest: async () => keys };
    for (const lateMs of [200, 1_000, 3_600_000]) {
      const late = new Tokens(source, { unixMs: () => clock.unixMs() - lateMs });
      const claims = who();
      expect(await late.read(await tokens.sign(claims))).toMatchObject(claims);
    }
  });

  test('a token of another instance, of an unknown key or without one is refused', async () => {
    const { tokens, keys } = await start();
    const other = await start();
    expect(await tokens.read(await signed(keys, payload()))).toBeDefined();
    expect(await tokens.read(await signed(other.keys, payload()))).toBeUndefined();
    const kid = keys.keys[0]?.kid;
    expect(await tokens.read(await signed(other.keys, payload(), { kid }))).toBeUndefined();
    expect(await tokens.read(await signed(keys, payload(), { kid: undefined }))).toBeUndefined();
  });

  test('a token of another algorithm is refused, also if the public key is its secret', async () => {
    const { tokens, keys } = await start();
    const [key] = keys.keys;
    if (key === undefined) throw new Error('no key');
    const { kty, crv, x, kid } = key;
    const header = { alg: 'HS256', kid };
    const published = await importJWK({ kty, crv, x }, 'EdDSA');
    if (published instanceof Uint8Array) throw new Error('not a key pair');
    const secrets = [x, await exportSPKI(published)];
    for (const secret of secrets) {
      const token = await new SignJWT(payload())
        .setProtectedHeader(header)
        .sign(new TextEncoder().encode(secret));
      expect(await tokens.read(token)).toBeUndefined();
    }
    expect(await tokens.read(new UnsecuredJWT(payload()).encode())).toBeUndefined();
    const [head = '', body = '', signature = ''] = (await signed(keys, payload())).split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url');
    expect(await tokens.read(`${none}.${body}.${signature}`)).toBeUndefined();
    expect(await tokens.read(`${head}.${body}.`)).toBeUndefined();
  });

  test.each([
    ['no end', { exp: undefined }],
    ['an end before now', { exp: 1 }],
    ['a later end than ours', { iat: 1, exp: 99_999_999_999 }],
    ['a longer life than ours', { iat: 9_999_999_999, exp: 10_000_000_000 + TOKEN_S }],
    ['no session', { sid: undefined }],
    ['a user that is no id', { sub: 'ada' }],
    ['a session that is no id', { sid: 7 }],
    ['a secret of another length', { jti: 'short' }],
    ['a time before which it is not valid', { nbf: 9_999_999_999 }],
  ])('with %s is refused', async (_what, changes: Readonly<Record<string, unknown>>) => {
    const { tokens, keys } = await start();
    expect(await tokens.read(await signed(keys, payload(changes)))).toBeUndefined();
  });

  test('with critical extensions is refused', async () => {
    const { tokens, keys } = await start();
    const [head = '', ...rest] = (await signed(keys, payload())).split('.');
    const header = JSON.parse(Buffer.from(head, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...header, crit: ['exp'] })).toString('base64url');
    expect(await tokens.read([changed, ...rest].join('.'))).toBeUndefined();
  });

  test('that was changed anywhere is refused, and so is any other text', async () => {
    const { tokens } = await start();
    const token = await tokens.sign(who());
    const changed = fc
      .tuple(fc.nat(token.length - 1), fc.constantFrom(...'Ab_-.9= '))
      .map(([at, character]) => token.slice(0, at) + character + token.slice(at + 1))
      .filter((text) => text !== token);
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, fc.string(), fc.constant(`${token}.`)), async (text) => {
        // The last character of a signature has four bits that mean nothing.
        fc.pre(text.slice(0, -1) !== token.slice(0, -1) || text.length !== token.length);
        expect(await tokens.read(text)).toBeUndefined();
      }),
    );
    expect(await tokens.read(`eyJ${'a'.repeat(2_000)}${token.slice(3)}`)).toBeUndefined();
  });
});

describe('[AC4] the keys', () => {
  test('keys are replaced with an overlap, in which both are accepted', async () => {
    const instance = await start();
    const claims = who();
    const old = await instance.tokens.sign(claims);
    await instance.rotate();
    const fresh = await instance.tokens.sign(claims);
    expect(instance.keys.keys.map(({ d }) => d !== undefined)).toEqual([true, false]);
    expect(await instance.tokens.read(old)).toMatchObject(claims);
    clock.halt(WEEK_MS);
    expect(await instance.tokens.read(old)).toBeUndefined();
    expect(await instance.tokens.read(fresh)).toMatchObject(claims);
    await instance.rotate();
    expect(instance.keys.keys).toHaveLength(2);
  });

  test('that have ended are not accepted longer because of another replacement', async () => {
    const instance = await start();
    const claims = who();
    const old = await instance.tokens.sign(claims);
    await instance.rotate();
    clock.halt(WEEK_MS - DAY_MS);
    await instance.rotate();
    expect(await instance.tokens.read(old)).toMatchObject(claims);
    clock.halt(DAY_MS);
    expect(await instance.tokens.read(old)).toBeUndefined();
  });

  test('keys are checked when they are read', async () => {
    const { keys } = await newTokenKeys();
    const [{ d: _private, ...first } = {}] = keys;
    expect(tokenKeysSchema.safeParse({ keys }).success).toBe(true);
    for (const wrong of [
      {},
      { keys: [] },
      { keys: [first] },
      { keys: [{ ...keys[0], crv: 'X25519' }] },
    ]) {
      expect(tokenKeysSchema.safeParse(wrong).success).toBe(false);
    }
  });
});
