import { fakeClock } from '@hearth/testing/fake-clock';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWNER } from '../../../actor.ts';
import { StartError } from '../../../lib/start-error.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { rotateKeys } from './rotate-keys.ts';
import { databaseKeys, fileKeys, type TokenKeyStore } from './token-key-store.ts';
import { TokenKeyring } from './token-keyring.ts';
import { newTokenSecret } from './token-claims.ts';
import { newTokenKeys } from './token-keys.ts';
import { Tokens } from './tokens.ts';
import { formatId } from '@hearth/protocol';

const clock = fakeClock();
const WEEK_MS = 7 * 86_400_000;
const idOf = (sequence: number) => formatId({ seconds: 100, instanceId: 1, sequence });
const who = () => ({ userId: idOf(1), sessionId: idOf(2), secret: newTokenSecret() });

onEachDatabase((open) => {
  describe('[AC12] the keys of tokens', () => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await open();
    });
    afterEach(() => database[Symbol.asyncDispose]());

    test('keys are made once, by whichever process needs them first', async () => {
      await using other = await database.openAgain();
      const stores = [database, database, other, other].map((each) =>
        databaseKeys(ownerOutbox(each)),
      );
      const all = await Promise.all(stores.map((store) => store.read()));
      expect(new Set(all.map((keys) => JSON.stringify(keys))).size).toBe(1);
      expect(all[0]?.keys).toHaveLength(1);
    });

    test('keys are replaced in every process, and tokens of the old ones are accepted for a while', async () => {
      await using other = await database.openAgain();
      const tokenKeys = databaseKeys(ownerOutbox(database));
      const tokensOn = (of: TestDatabase | typeof other) =>
        new Tokens(new TokenKeyring(databaseKeys(ownerOutbox(of)), { database: of, clock }), clock);
      const [here, there] = [tokensOn(database), tokensOn(other)];
      const old = await here.sign(who());
      expect(await there.read(old)).toBeDefined();
      clock.advance(2_000);
      await rotateKeys({ tokenKeys, clock }, OWNER, { overlapMs: WEEK_MS });
      const renewed = await here.sign(who());
      expect(kidOf(renewed)).not.toBe(kidOf(old));
      // Even if that process does not know it yet.
      for (const token of [renewed, old]) expect(await there.read(token)).toBeDefined();
      clock.advance(WEEK_MS);
      expect(await there.read(old)).toBeUndefined();
      expect(await there.read(renewed)).toBeDefined();
      await rotateKeys({ tokenKeys, clock }, OWNER, { overlapMs: 0 });
      clock.advance(2_000);
      expect(await here.read(renewed)).toBeUndefined();
    });
  });
});

describe('[AC12] the keys of tokens in a file', () => {
  let folder: string;
  let path: string;
  let store: TokenKeyStore;
  const database = {
    changes: 0,
    // The only thing that a file needs of the database is to report its changes.
    transaction: async (work: (tx: never) => Promise<unknown>) =>
      work({ changed: () => (database.changes += 1) } as never),
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hearth-keys-'));
    path = join(folder, 'keys.json');
    store = fileKeys(path, database as never);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('keys are made by the command, for their owner alone, and read by every process', async () => {
    await expect(store.read()).rejects.toThrow('does not exist: make it with "hearth keys rotate"');
    const made = await rotateKeys({ tokenKeys: store, clock }, OWNER, { overlapMs: WEEK_MS });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await store.read()).toEqual(made);
    const next = await rotateKeys({ tokenKeys: store, clock }, OWNER, { overlapMs: WEEK_MS });
    expect(next.keys.map(({ kid }) => kid)).toContain(made.keys[0]?.kid ?? '');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['keys.json']);
    expect(database.changes).toBe(2);
  });

  test('keys are refused if others may read them, or if they are not keys, and are not replaced then', async () => {
    await writeFile(path, '{"keys": []}', { mode: 0o600 });
    await expect(store.read()).rejects.toBeInstanceOf(StartError);
    await writeFile(path, 'nothing');
    await expect(store.read()).rejects.toThrow('has no valid keys of tokens: it is not JSON');
    const [key] = (await newTokenKeys()).keys;
    for (const [content, at] of [
      [{}, 'keys'],
      [[], 'its content'],
      [{ keys: [] }, 'keys'],
      [{ keys: [{ ...key, kty: 'RSA' }] }, 'keys.0.kty'],
      [{ keys: [{ ...key, d: undefined }] }, 'keys'],
    ] as const) {
      await writeFile(path, JSON.stringify(content));
      await expect(store.read()).rejects.toThrow(
        `TOKEN_KEY_FILE: ${path} has no valid keys of tokens: ${at} is missing or not what "hearth keys rotate" writes;`,
      );
    }
    await writeFile(path, 'nothing');
    await expect(
      rotateKeys({ tokenKeys: store, clock }, OWNER, { overlapMs: 0 }),
    ).rejects.toBeInstanceOf(StartError);
    expect(await readFile(path, 'utf8')).toBe('nothing');
    await rm(path);
    await rotateKeys({ tokenKeys: store, clock }, OWNER, { overlapMs: 0 });
    await chmod(path, 0o640);
    await expect(store.read()).rejects.toThrow('chmod 600');
  });
});

function kidOf(token: string): unknown {
  const [header = ''] = token.split('.');
  return JSON.parse(Buffer.from(header, 'base64url').toString())['kid'];
}
