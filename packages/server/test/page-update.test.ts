import { startTestInstance, webAddressOf } from '@hearth/testing/instances/test-instance';
import { PAGE_TEXT, SCRIPT, SCRIPT_TEXT, webFolder } from '@hearth/testing/instances/web-folder';
import { tempFolder } from '@hearth/testing/temp-folder';
import { expect, test } from 'bun:test';

const NEXT = 'assets/main-9z8y7x6w.js';

test('[WC344] a page that was opened before an update gets its files after it, and after a restart', async () => {
  await using data = await tempFolder();
  await using before = await webFolder();
  await using after = await webFolder({
    'index.html': PAGE_TEXT.replace(SCRIPT, NEXT),
    [SCRIPT]: undefined,
    [`${SCRIPT}.br`]: undefined,
    [`${SCRIPT}.gz`]: undefined,
    [NEXT]: 'console.log("next")',
  });
  const from = async (folder: string, path: string, encoding = 'br') => {
    await using instance = await startTestInstance({ folder: data.path, web: folder });
    const response = await fetch(new URL(path, webAddressOf(instance)), {
      headers: { 'Accept-Encoding': encoding },
    });
    const { status, headers } = response;
    const named = ['cache-control', 'content-type', 'content-encoding', 'x-content-type-options'];
    return { status, headers: named.map((name) => headers.get(name)), text: await response.text() };
  };
  const own = await from(before.path, SCRIPT);
  expect(own.text).toBe(SCRIPT_TEXT);
  expect(await from(after.path, SCRIPT)).toEqual(own);
  const plain = await from(after.path, SCRIPT, 'identity');
  expect([plain.status, plain.text]).toEqual([200, SCRIPT_TEXT]);
  expect((await from(after.path, 'assets/none.js')).status).toBe(404);
  // Going back to the earlier build does no harm.
  expect((await from(before.path, NEXT)).text).toBe('console.log("next")');
});
