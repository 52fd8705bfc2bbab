import { formatId, readPermissions, STAFF_PERMISSIONS } from '@hearth/protocol';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  secretHash,
  newTokenSecret,
} from '../../../server/src/features/accounts/sessions/token-claims.ts';
import { insertSession } from '../../../server/src/features/accounts/sessions/store.ts';
import { databaseKeys } from '../../../server/src/features/accounts/sessions/token-key-store.ts';
import { TokenKeyring } from '../../../server/src/features/accounts/sessions/token-keyring.ts';
import { Tokens } from '../../../server/src/features/accounts/sessions/tokens.ts';
import { insertUser } from '../../../server/src/features/accounts/users/store.ts';
import { systemClock as clock } from '../../../server/src/lib/clock.ts';
import type { Database } from '../../../server/src/ports/database/database.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';
import { ownerOutbox } from '../../../server/src/ports/outbox/outbox.ts';

const AT_ONCE = 100;

/** Writes users into the data of an instance in a folder, each with a session. Returns the tokens of these. */
export async function writeUsers(folder: string, count: number): Promise<readonly string[]> {
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  await using file = await sqliteDatabase(join(data, 'hearth.sqlite'));
  return await addUsers(file, count);
}

/** Adds users to a database, each with a session. Returns the tokens of these. */
export async function addUsers(tables: Database, count: number): Promise<readonly string[]> {
  const database = ownerOutbox(tables);
  const tokens = new Tokens(new TokenKeyring(databaseKeys(database), { database, clock }), clock);
  const staff_permissions = readPermissions(STAFF_PERMISSIONS, []);
  const signed: string[] = [];
  const nowMs = clock.unixMs();
  for (let first = 0; first < count; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, at) => first + at);
    const users = numbers.map((sequence) => ({
      sequence,
      id: formatId({ seconds: 1, instanceId: 1, sequence }),
      sessionId: formatId({ seconds: 2, instanceId: 1, sequence }),
      secret: newTokenSecret(),
    }));
    for (const { id: userId, sessionId, secret } of users) {
      signed.push(await tokens.sign({ userId, sessionId, secret }));
    }
    await database.transaction(async ({ sql }) => {
      for (const { sequence, id, sessionId, secret } of users) {
        const username = `user${sequence}`;
        const address = `${username}@example.org`;
        await insertUser(sql, {
          ...{ id, username, display_name: `User ${sequence}`, password_hash: '' },
          ...{ email: address, email_key: address, state: 'active', staff_permissions },
          created_at_ms: nowMs,
        });
        const row = { id: sessionId, userId: id, secretHash: secretHash(secret), nowMs };
        await insertSession(sql, { ...row, client: undefined, addressHint: '192.0.2.0/24' });
      }
    });
  }
  return signed;
}
