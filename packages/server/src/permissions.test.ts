import {
  ForbiddenError,
  parseId,
  readPermissions,
  STAFF_PERMISSIONS,
  type Id,
} from '@hearth/protocol';
import { Glob } from 'bun';
import { afterAll, expect, test } from 'bun:test';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { join } from 'node:path';
import { OWNER, type Account, type Actor } from './actor.ts';
import type { Context } from './context.ts';
import { INSTANCE, requirePermission } from './permissions.ts';

const USER_ID = id('7');

const BOT: Account = {
  kind: 'account',
  user_id: USER_ID,
  is_bot: true,
  credential: { kind: 'bot_token', id: id('9'), scopes: ['read'] },
  address: '192.0.2.1',
  staff_permissions: readPermissions(STAFF_PERMISSIONS, []),
};

const EVERYONE_ELSE: readonly Actor[] = [
  { kind: 'guest', address: '192.0.2.1' },
  {
    kind: 'account',
    user_id: USER_ID,
    is_bot: false,
    credential: { kind: 'session', id: id('8'), token_hash: '' },
    address: '192.0.2.1',
    staff_permissions: readPermissions(STAFF_PERMISSIONS, []),
  },
  BOT,
];

type StaffVerb = (ctx: Context, actor: Actor, input: object) => Promise<unknown>;

const FEATURES = join(import.meta.dirname, 'features');
const VERB =
  /^export (?:async )?function (\w+)\((?:(?!^}$).)*?requirePermission\(\s*actor,\s*INSTANCE,\s*'(\w+)'/gms;

/** Every verb that requires a permission: the function of a file that has the file's name. */
const STAFF_VERBS = await staffVerbs();

const ctx = await openTestContext();
afterAll(() => ctx[Symbol.asyncDispose]());

test("the owner's command has every permission", () => {
  expect(() => requirePermission(OWNER, INSTANCE, 'MANAGE_INSTANCE')).not.toThrow();
});

test('the verbs that require a permission are found', () => {
  expect(STAFF_VERBS.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'removeMessage',
      'removeUpload',
      'listUploads',
      'addStatic',
      'removeStatic',
      'listStatics',
    ]),
  );
});

// A verb checks the permission before anything else, so the input does not matter.
test.each(STAFF_VERBS)('%s is refused to everyone but the owner', async (_name, verb, required) => {
  for (const actor of EVERYONE_ELSE) {
    const error = await failureOf(async () => verb(ctx, actor, {}));
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error).toMatchObject({ status: 403, data: { permission: required } });
  }
});

async function staffVerbs(): Promise<readonly (readonly [string, StaffVerb, string])[]> {
  const files = await Array.fromAsync(new Glob('*/*/*.ts').scan({ cwd: FEATURES }));
  const verbs = files.toSorted().map(async (file) => {
    const path = join(FEATURES, file);
    if (file.endsWith('.test.ts')) return [];
    const found = Array.from((await Bun.file(path).text()).matchAll(VERB));
    if (found.length === 0) return [];
    const module: Readonly<Record<string, StaffVerb>> = await import(path);
    return found.map(([, name = '', required = '']) => {
      const verb = module[name];
      if (verb === undefined) throw new Error(`features/${file} does not export ${name}`);
      return [name, verb, required] as const;
    });
  });
  return (await Promise.all(verbs)).flat();
}

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error;
  }
}

function id(text: string): Id {
  const parsed = parseId(text);
  if (parsed === undefined) throw new Error(`${text} is no id`);
  return parsed;
}
