import { parseId } from '@hearth/protocol';
import { BEHIND_PROXY } from '@hearth/testing/clients/limited-client';
import { postMessage } from '@hearth/testing/clients/post-message';
import { readError } from '@hearth/testing/clients/read-error';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { atWebPort } from '@hearth/testing/instances/at-web-port';
import { startTestInstance, webAddressOf } from '@hearth/testing/instances/test-instance';
import { webFolder } from '@hearth/testing/instances/web-folder';
import { tempFolder } from '@hearth/testing/temp-folder';
import { expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import { banAuthor } from '../src/features/accounts/moderation/ban-author.ts';
import { banClients } from '../src/features/accounts/moderation/bans.ts';
import { parseClientRange } from '../src/client-range.ts';
import { pause } from '../src/features/accounts/moderation/owner-restrictions.ts';
import { moderationContract } from './moderation.contract.ts';
import { THREE_GUESSES } from './support/moderated-instance.ts';

moderationContract(
  'an embedded instance, at its own ports and at that of the web client',
  async () => {
    await using resources = new AsyncDisposableStack();
    const { path: web } = resources.use(await webFolder());
    const options = { toml: THREE_GUESSES, env: BEHIND_PROXY, web };
    const instance = resources.use(await startTestInstance(options));
    const owned = resources.move();
    return {
      place: instance,
      processes: [instance, { addresses: atWebPort(webAddressOf(instance)) }],
      isOneProcess: true,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  },
);

test('[MO9] the author of a message that no process knows cannot be banned, and no request stays', async () => {
  await using instance = await startTestInstance();
  await postMessage(instance, 'another message');
  const messageId = parseId('1');
  const banned = asOwner(
    instance,
    async (ctx) => messageId && banAuthor(ctx, OWNER, { messageId, term: {} }),
  );
  await expect(banned).rejects.toMatchObject({ name: 'NotFoundError' });
  const left = await asOwner(instance, ({ database: { reader } }) =>
    reader.selectFrom('ban_requests').selectAll().execute(),
  );
  expect(left).toEqual([]);
});

test('[MO2] what the owner restricts survives a restart, and applies from the first request', async () => {
  await using folder = await tempFolder();
  const before = await startTestInstance({ folder: folder.path });
  await before.stop();
  await asOwner({ folder: folder.path }, async (ctx) => {
    const range = parseClientRange('127.0.0.1');
    if (range !== undefined) await banClients(ctx, OWNER, { range, term: {} });
    await pause(ctx, OWNER, { what: ['uploads'], term: {} });
  });
  await using after = await startTestInstance({ folder: folder.path, env: BEHIND_PROXY });
  const post = (headers: HeadersInit) =>
    fetch(`${after.addresses.rest}/messages`, { method: 'POST', body: '{}', headers });
  const body = '{"author":"ada","content":"good evening"}';
  const refused = await fetch(`${after.addresses.rest}/messages`, { method: 'POST', body });
  expect((await readError(refused)).data).toEqual({ code: 'banned' });
  expect((await post({ 'X-Real-IP': '203.0.113.7' })).status).toBe(422);
  const headers = { 'X-Real-IP': '203.0.113.7' };
  const upload = await fetch(after.addresses.files, { method: 'POST', body: 'a file', headers });
  expect((await readError(upload)).data).toEqual({ code: 'paused' });
});
