import { ValidationError } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { OWNER } from '../../../actor.ts';
import { fixtureBytes } from '@hearth/testing/media/fixtures';
import { contentOf } from '@hearth/testing/instances/static-files';
import { openTestContext } from '@hearth/testing/instances/test-context';
import type { OwnerContext } from '../../../instance.ts';
import { addStatic, type NewStatic } from './add-static.ts';
import { listStatics } from './list-statics.ts';

const LIMIT = 20_000_000;

async function refusal(ctx: OwnerContext, file: NewStatic): Promise<unknown> {
  const error: unknown = await addStatic(ctx, OWNER, file).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ValidationError);
  expect(await listStatics(ctx, OWNER)).toEqual([]);
  return error instanceof ValidationError ? error.data?.['field_name'] : undefined;
}

async function* zeros(bytes: number, state = { given: 0 }): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(1_000_000);
  for (; state.given < bytes; state.given += chunk.length) {
    yield chunk.subarray(0, Math.min(chunk.length, bytes - state.given));
  }
}

describe('[OP12] the size of a static file', () => {
  test('the size is at most file_size', async () => {
    await using ctx = await openTestContext();
    const { sizeBytes } = await addStatic(ctx, OWNER, {
      name: 'a',
      sizeBytes: LIMIT,
      content: zeros(LIMIT),
    });
    expect(sizeBytes).toBe(LIMIT);
  });

  test('a file is refused before it is read if it is larger', async () => {
    await using ctx = await openTestContext();
    const state = { given: 0 };
    const sizeBytes = LIMIT + 1;
    expect(await refusal(ctx, { name: 'a', sizeBytes, content: zeros(sizeBytes, state) })).toBe(
      'file',
    );
    expect(state.given).toBe(0);
  });

  test('a file is refused while it is read if it has grown', async () => {
    await using ctx = await openTestContext();
    const state = { given: 0 };
    expect(await refusal(ctx, { name: 'a', sizeBytes: 1, content: zeros(10 * LIMIT, state) })).toBe(
      'file',
    );
    expect(state.given).toBeLessThan(2 * LIMIT);
  });
});

test.each([
  ...[
    '',
    '.',
    '..',
    'a/b',
    '/a',
    'a/',
    '../a',
    'a\\b',
    'C:\\a',
    'a\0',
    'a\nb',
    '\u0085',
    ' a',
    'a ',
  ],
  ...['a\u202eb', '\ud800', 'x'.repeat(256), '山'.repeat(86)],
])('[OP12] a static file cannot have the name %j', async (name) => {
  await using ctx = await openTestContext();
  expect(await refusal(ctx, contentOf(name, 'x'))).toBe('name');
});

test('[OP12] a file that cannot be read to its end is not added', async () => {
  await using ctx = await openTestContext();
  const failure = new Error('the disk is gone');
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('begun');
    throw failure;
  }
  const adding = addStatic(ctx, OWNER, { name: 'a', sizeBytes: 10, content: failing() });
  expect(await adding.catch((error: unknown) => error)).toBe(failure);
  expect(await listStatics(ctx, OWNER)).toEqual([]);
});

test('[OP12] a file is added although a blob of an earlier one cannot be removed', async () => {
  await using ctx = await openTestContext();
  const keys: string[] = [];
  const remove = (key: string) => {
    keys.push(key);
    return Promise.reject(new Error('the file is locked'));
  };
  const failing = { ...ctx, blobs: { ...ctx.blobs, remove } };
  const { blobKey } = await addStatic(failing, OWNER, contentOf('a.txt', 'old'));
  await addStatic(failing, OWNER, contentOf('a.txt', 'new'));
  expect(keys).toEqual([blobKey]);
  await addStatic(failing, OWNER, contentOf('b.txt', 'another'));
  expect(keys).toEqual([blobKey]);
  expect(await listStatics(ctx, OWNER)).toHaveLength(2);
});

describe('[FS22] the content type of a static file', () => {
  test.each<[name: string, content: string | Uint8Array, contentType: string]>([
    ['style.css', 'a{}', 'text/css; charset=utf-8'],
    ['script.js', '1', 'text/javascript; charset=utf-8'],
    ['page.html', '<p>', 'text/html; charset=utf-8'],
    ['page.HTML', '<p>', 'text/html; charset=utf-8'],
    ['data.json', '{}', 'application/json'],
    ['app.wasm', '\0asm', 'application/wasm'],
    ['hills.svg', '<svg/>', 'image/svg+xml'],
    ['latin-1.txt', Buffer.from('na\xefve', 'latin1'), 'text/plain'],
    ['archive.tar.gz', 'x', 'application/gzip'],
    ['no-ending', 'text', 'text/plain; charset=utf-8'],
    ['unknown.xyzzy', 'text', 'text/plain; charset=utf-8'],
    ['unknown', Buffer.from([1, 2, 3, 0]), 'application/octet-stream'],
  ])('the type follows from its name if that is known: %s', async (name, content, contentType) => {
    await using ctx = await openTestContext();
    expect((await addStatic(ctx, OWNER, contentOf(name, content))).contentType).toBe(contentType);
  });

  test('the type follows from its bytes if its name says nothing', async () => {
    await using ctx = await openTestContext();
    const picture = await fixtureBytes('still.gif');
    expect((await addStatic(ctx, OWNER, contentOf('hills', picture))).contentType).toBe(
      'image/gif',
    );
  });
});
