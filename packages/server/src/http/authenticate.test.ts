import { readPermissions, STAFF_PERMISSIONS, UnauthorizedError, type Id } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { ANYONE, type Account, type Credential } from '../actor.ts';
import { requireAuth, type Auth } from './authenticate.ts';
import type { Method } from './router.ts';

const ID = '1' as Id;

const accountWith = (credential: Credential): Account => ({
  kind: 'account',
  user_id: ID,
  is_bot: credential.kind === 'bot_token',
  credential,
  address: '192.0.2.1',
  staff_permissions: readPermissions(STAFF_PERMISSIONS, []),
});

const ACTORS = {
  guest: ANYONE,
  session: accountWith({ kind: 'session', id: ID, token_hash: '' }),
  'reading token': accountWith({ kind: 'personal_token', id: ID, scopes: ['read'] }),
  'reading and writing bot': accountWith({ kind: 'bot_token', id: ID, scopes: ['read', 'write'] }),
} as const;

describe('a route is open', () => {
  test.each<[keyof typeof ACTORS, readonly `${Method} ${Auth}`[]]>([
    ['guest', ['GET optional', 'POST optional']],
    [
      'session',
      ['GET optional', 'POST optional', 'GET user', 'POST user', 'GET session', 'POST session'],
    ],
    ['reading token', ['GET optional', 'GET user']],
    ['reading and writing bot', ['GET optional', 'POST optional', 'GET user', 'POST user']],
  ])('to a %s: %p', (name, open) => {
    for (const auth of ['optional', 'user', 'session'] as const) {
      for (const method of ['GET', 'POST'] as const) {
        const enter = () => requireAuth({ auth, method }, ACTORS[name]);
        if (open.includes(`${method} ${auth}`)) expect(enter).not.toThrow();
        else expect(enter).toThrow(UnauthorizedError);
      }
    }
  });
});
