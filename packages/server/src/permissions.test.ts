import { ForbiddenError, parseId, type Id } from '@hearth/protocol';
import { afterAll, expect, test } from 'bun:test';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { OWNER, type Actor } from './actor.ts';
import type { Context } from './context.ts';
import { removeMessage } from './features/lobby/remove-message.ts';
import { addStatic } from './features/statics/add-static.ts';
import { listStatics } from './features/statics/list-statics.ts';
import { removeStatic } from './features/statics/remove-static.ts';
import { listUploads } from './features/uploads/list-uploads.ts';
import { removeUpload } from './features/uploads/remove-upload.ts';
import { INSTANCE, requirePermission } from './permissions.ts';

const USER_ID = id('7');

const EVERYONE_ELSE: readonly Actor[] = [
  { kind: 'guest', address: '192.0.2.1' },
  { kind: 'user', user_id: USER_ID },
  { kind: 'bot', user_id: USER_ID },
];

type OwnersVerb = (ctx: Context, actor: Actor) => Promise<unknown>;

const newStatic = { name: 'a.txt', sizeBytes: 0, content: (async function* () {})() };

const OWNERS_VERBS: readonly [string, OwnersVerb][] = [
  ['removeMessage', (ctx, actor) => removeMessage(ctx, actor, id('1'))],
  ['removeUpload', (ctx, actor) => removeUpload(ctx, actor, id('1'))],
  ['listUploads', listUploads],
  ['addStatic', (ctx, actor) => addStatic(ctx, actor, newStatic)],
  ['removeStatic', (ctx, actor) => removeStatic(ctx, actor, 'a.txt')],
  ['listStatics', listStatics],
];

const ctx = await openTestContext();
afterAll(() => ctx[Symbol.asyncDispose]());

test("the owner's command has every permission", () => {
  expect(() => requirePermission(OWNER, INSTANCE, 'MANAGE_INSTANCE')).not.toThrow();
});

test.each(OWNERS_VERBS)('%s is refused to everyone but the owner', async (_name, verb) => {
  for (const actor of EVERYONE_ELSE) {
    const error: unknown = await verb(ctx, actor).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error).toMatchObject({ status: 403, data: { permission: 'MANAGE_INSTANCE' } });
  }
});

function id(text: string): Id {
  const parsed = parseId(text);
  if (parsed === undefined) throw new Error(`${text} is no id`);
  return parsed;
}
