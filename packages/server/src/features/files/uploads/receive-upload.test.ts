import { ValidationError } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { OWNER, type Guest } from '../../../actor.ts';
import { parseClientRange } from '../../../client-range.ts';
import type { OwnerContext } from '../../../instance.ts';
import { banClients } from '../../accounts/moderation/bans.ts';
import { pause, setAccessCode } from '../../accounts/moderation/owner-restrictions.ts';
import { listUploads } from './list-uploads.ts';
import { storeUpload } from './store-upload.ts';
import {
  encodeForm,
  fieldPart,
  filePart,
  type EncodedForm,
} from '@hearth/testing/clients/upload-form';
import { openUploadContext } from '@hearth/testing/ports/upload-verbs';
import type { Context } from '../../../context.ts';
import { receiveUpload, type IncomingUpload } from './receive-upload.ts';

const text = 'good evening '.repeat(1_000);
const form = encodeForm(fieldPart('spoiler', 'true'), filePart(text), fieldPart('other', 'x'));

/** The body in chunks that all use the same memory, as a runtime may do it. */
async function* inOneMemory({ body }: EncodedForm, chunkBytes: number): AsyncGenerator<Uint8Array> {
  const memory = new Uint8Array(chunkBytes);
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes);
    memory.set(chunk);
    yield memory.subarray(0, chunk.length);
  }
}

async function incoming(
  ctx: Context,
  sent: EncodedForm,
  changes: Partial<IncomingUpload> = {},
): Promise<IncomingUpload> {
  return {
    contentType: sent.contentType,
    contentLength: sent.body.length,
    body: inOneMemory(sent, 100),
    verdict: await ctx.limiter.take('attachments', '127.0.0.1'),
    ...changes,
  };
}

test.each([1, 3, 50, 1_000, 100_000])(
  '[FS14][FS15] a form is read in chunks of %d bytes whose memory is reused',
  async (chunkBytes) => {
    await using ctx = await openUploadContext();
    const body = inOneMemory(form, chunkBytes);
    const received = await receiveUpload(ctx, OWNER, await incoming(ctx, form, { body }));
    expect(received).toMatchObject({ name: 'file.bin', spoiler: true });
    expect(received.sealed.facts.metadata).toEqual({ type: 'text' });
    expect(await readFile(received.sealed.blob.path, 'utf8')).toBe(text);
  },
);

test('[LI19] a form that is refused because of its announced length is not read', async () => {
  await using ctx = await openUploadContext();
  const body = inOneMemory(form, 100);
  const contentLength = ctx.settings.files.attachmentSizeBytes + 64 * 1024 + 1;
  const receiving = receiveUpload(ctx, OWNER, await incoming(ctx, form, { body, contentLength }));
  expect(await receiving.catch((error: unknown) => error)).toBeInstanceOf(ValidationError);
  expect((await body.next()).value).toHaveLength(100);
});

test('[FS9] a file that grows beyond the maximum is refused as soon as it does', async () => {
  await using ctx = await openUploadContext();
  const files = { ...ctx.settings.files, attachmentSizeBytes: 1_000 };
  const body = inOneMemory(form, 100);
  const small = { ...ctx, settings: { ...ctx.settings, files } };
  const receiving = receiveUpload(small, OWNER, await incoming(ctx, form, { body }));
  expect(await receiving.catch((error: unknown) => error)).toMatchObject({
    data: { field_name: 'file', error: 'must be at most 1000 bytes' },
  });
});

test('[FS9] several files in one part are refused as soon as the part begins, and cost nothing', async () => {
  await using ctx = await openUploadContext();
  const disposition = 'Content-Disposition: form-data; name="file"';
  const head = `${disposition}\r\nContent-Type: multipart/mixed; boundary=b`;
  const { contentType, body } = encodeForm({ head, data: text });
  const beginning = { contentType, body: body.subarray(0, 500) };
  const verdict = await ctx.limiter.take('attachments', '127.0.0.1');
  const receiving = receiveUpload(ctx, OWNER, await incoming(ctx, beginning, { verdict }));
  expect(await receiving.catch((error: unknown) => error)).toMatchObject({
    data: { field_name: 'file', error: 'must be one file only' },
  });
  expect((await ctx.limiter.standing(verdict)).sentBytes).toBe(0);
});

test('[FS20] a failure of the connection is thrown and leaves nothing in storage', async () => {
  await using ctx = await openUploadContext();
  const failure = new Error('the connection is gone');
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield form.body.subarray(0, 5_000);
    throw failure;
  }
  const verdict = await ctx.limiter.take('attachments', '127.0.0.1');
  const body = failing();
  const receiving = receiveUpload(ctx, OWNER, await incoming(ctx, form, { body, verdict }));
  expect(await receiving.catch((error: unknown) => error)).toBe(failure);
  const { sentBytes, bytesLeft } = await ctx.limiter.standing(verdict);
  expect([sentBytes, bytesLeft]).toEqual([0, verdict.bytesLeft]);
});

async function banAddress(ctx: OwnerContext): Promise<void> {
  const range = parseClientRange('192.0.2.0/24');
  if (range !== undefined) await banClients(ctx, OWNER, { range, term: { reason: 'spam' } });
}

const UNDER_WAY = [
  ['banned', { reason: 'spam' }, banAddress],
  ['paused', {}, (ctx) => pause(ctx, OWNER, { what: ['uploads'], term: {} })],
  ['access_code', {}, (ctx) => setAccessCode(ctx, OWNER, 'k7mw-p3xd-9qht')],
] as const satisfies readonly (readonly [string, object, (ctx: OwnerContext) => Promise<void>])[];

describe.each([
  ['in the middle', 5_000],
  ['after its last byte', form.body.length],
])('[MO2] an upload that is under way is refused if a command begins to apply %s:', (_when, at) => {
  test.each(UNDER_WAY)('%s', async (code, data, restrict) => {
    await using ctx = await openUploadContext();
    let read = 0;
    async function* restricted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of inOneMemory(form, 1_000)) {
        yield chunk;
        read += chunk.length;
        if (read < at) continue;
        await restrict(ctx);
        await ctx.restrictions.current();
      }
    }
    const guest: Guest = { kind: 'guest', address: '192.0.2.7' };
    const sent = await incoming(ctx, form, { body: restricted() });
    const storing = storeUpload(ctx, guest, sent);
    expect(await storing.catch((error: unknown) => error)).toMatchObject({
      name: 'ForbiddenError',
      data: { code, ...data },
    });
    expect(read).toBe(at);
    expect(await listUploads(ctx, OWNER)).toEqual([]);
    expect((await ctx.limiter.standing(sent.verdict)).bytesLeft).toBe(sent.verdict.bytesLeft);
  });
});

test('[MO2] an upload that is under way goes on if others are restricted', async () => {
  await using ctx = await openUploadContext();
  async function* restricted(): AsyncGenerator<Uint8Array> {
    yield form.body.subarray(0, 5_000);
    await banAddress(ctx);
    await pause(ctx, OWNER, { what: ['posting'], term: {} });
    await ctx.restrictions.current();
    yield form.body.subarray(5_000);
  }
  const guest: Guest = { kind: 'guest', address: '198.51.100.7' };
  const data = await storeUpload(ctx, guest, await incoming(ctx, form, { body: restricted() }));
  expect(data).toMatchObject({ name: 'file.bin', spoiler: true });
});
