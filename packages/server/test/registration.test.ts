import { capabilitiesSchema, pendingSchema } from '@hearth/protocol/schemas';
import { readError } from '@hearth/testing/clients/read-error';
import { openTestContext } from '@hearth/testing/instances/test-context';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { solveProof } from '@hearth/testing/solve-proof';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import {
  blockRegistration,
  parseBlockable,
  listRegistrationBlocks,
  unblockRegistration,
} from '../src/features/accounts/registration/blocks.ts';

const QUESTION = 'Who invited you?';
const TOML = `registration = "approval"
registration_question = "${QUESTION}"
registration_proof = "on"
${GENEROUS_LIMITS}`;

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance({ toml: TOML });
});
afterAll(() => instance[Symbol.asyncDispose]());

const post = (body: object) =>
  fetch(`${instance.addresses.rest}/users`, { method: 'POST', body: JSON.stringify(body) });

async function capabilities() {
  const answer = await fetch(`${instance.addresses.rest}/capabilities`);
  return capabilitiesSchema.strict().parse(await answer.json());
}

async function solved() {
  const { proof } = await capabilities();
  if (proof === undefined) throw new Error('no proof is asked for');
  return solveProof(proof);
}

const ada = {
  username: 'ada',
  email: 'ada@mail.example.org',
  password: 'correct horse battery',
  answer: 'Grace did',
};

test('[AC53][AC55] clients find the question and a challenge in the capabilities, and register with both', async () => {
  const known = await capabilities();
  expect(known).toMatchObject({ registration: 'approval', registration_question: QUESTION });
  expect(known.proof?.bits).toBe(17);
  expect(await readError(await post(ada))).toMatchObject({
    status: 422,
    data: { field_name: 'proof' },
  });
  const proof = await solved();
  expect(await readError(await post({ ...ada, answer: ' ', proof }))).toMatchObject({
    status: 422,
    data: { field_name: 'answer' },
  });
  const made = await post({ ...ada, proof });
  expect(made.status).toBe(200);
  expect(pendingSchema.strict().parse(await made.json())).toMatchObject({
    user: { username: 'ada', email: 'ada@mail.example.org' },
    pending: true,
  });
  const again = { ...ada, username: 'grace', email: 'grace@example.org', proof };
  expect(await readError(await post(again))).toMatchObject({
    status: 422,
    data: { field_name: 'proof', error: expect.stringContaining('has been used') },
  });
});

test('[AC54] nobody registers with a blocked mail domain or one below it, or from a blocked address', async () => {
  await using ctx = await openTestContext(instance);
  const block = async (text: string, term = {}) => {
    const what = parseBlockable(text);
    if (what === undefined) throw new Error(`${text} cannot be blocked`);
    return blockRegistration(ctx, OWNER, { what, term });
  };
  const eve = { ...ada, username: 'eve', proof: await solved() };
  await block('@Example.NET.', { reason: 'throwaway addresses' });
  for (const email of ['eve@example.net', 'eve@a.b.EXAMPLE.net']) {
    expect(await readError(await post({ ...eve, email }))).toMatchObject({
      status: 422,
      data: { field_name: 'email', error: expect.stringContaining('(throwaway addresses)') },
    });
  }
  await block('127.0.0.0/8', { until: Date.now() + 3_600_000 });
  const email = 'eve@notexample.net';
  expect(await readError(await post({ ...eve, email }))).toMatchObject({
    status: 403,
    data: { code: 'registration_blocked', until: expect.any(Number) },
  });
  expect(await listRegistrationBlocks(ctx, OWNER)).toMatchObject([
    { kind: 'domain', value: 'example.net', reason: 'throwaway addresses' },
    { kind: 'clients', value: '127.0.0.0/8' },
  ]);
  expect(await unblockRegistration(ctx, OWNER, '127.0.0.0/8')).toBe('127.0.0.0/8');
  expect((await post({ ...eve, email })).status).toBe(200);
});

test.each(['10.0.0.0/7', 'org', '192.0.2.300', 'a b.example', '', '-a.example'])(
  '[AC54] %p cannot be blocked',
  (text) => {
    expect(parseBlockable(text)).toBeUndefined();
  },
);
