import { expect, test } from 'bun:test';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  PAGE_TEXT,
  SCRIPT,
  SCRIPT_TEXT,
  STYLE,
  webFolder,
} from '@hearth/testing/instances/web-folder';
import { loadSite } from './site.ts';

test('everything except page and manifest is found by its path', async () => {
  await using folder = await webFolder({ 'icons/a.png': 'png', 'odd.xyz': 'x', 'only.br': 'x' });
  const { page, manifest, files } = await loadSite(folder.path);
  expect(page).toBe(PAGE_TEXT);
  expect(manifest).toMatchObject({ start_url: './' });
  const found = Array.from(files, ([path, { contentType }]) => [path, contentType]);
  expect(Object.fromEntries(found)).toEqual({
    [`/${SCRIPT}`]: 'text/javascript; charset=utf-8',
    [`/${STYLE}`]: 'text/css; charset=utf-8',
    '/icon.svg': 'image/svg+xml',
    '/icons/a.png': 'image/png',
    '/odd.xyz': 'application/octet-stream',
    '/only.br': 'application/octet-stream',
    '/sw.js': 'text/javascript; charset=utf-8',
  });
});

test('[WC11] compressed copies belong to their file, the best first', async () => {
  await using folder = await webFolder();
  const { files } = await loadSite(folder.path);
  const script = files.get(`/${SCRIPT}`);
  expect(await script?.plain.body.text()).toBe(SCRIPT_TEXT);
  expect(script?.encoded.map(({ encoding }) => encoding)).toEqual(['br', 'gzip']);
  expect(files.get(`/${STYLE}`)?.encoded).toEqual([]);
  const etags = [script?.plain, ...(script?.encoded ?? [])].map((variant) => variant?.etag);
  expect(new Set(etags).size).toBe(3);
});

test('[WC10] files in assets, and no others, have names that change with their content', async () => {
  await using folder = await webFolder({ 'more/assets/x.js': 'x', 'assetsx.js': 'x' });
  const { files } = await loadSite(folder.path);
  const immutable = Array.from(files).filter(([, { isImmutable }]) => isImmutable);
  expect(immutable.map(([path]) => path).toSorted()).toEqual([`/${SCRIPT}`, `/${STYLE}`]);
});

test('a client may have no manifest', async () => {
  await using folder = await webFolder({ 'manifest.webmanifest': undefined });
  expect((await loadSite(folder.path)).manifest).toBeUndefined();
});

test.each([
  [{ 'index.html': undefined }, 'index.html'],
  [{ 'manifest.webmanifest': '[' }, 'JSON'],
  [{ 'manifest.webmanifest': '1' }, 'not an object'],
])('a folder with %j is not a web client', async (changes, reason) => {
  await using folder = await webFolder(changes);
  await expect(loadSite(folder.path)).rejects.toThrow(reason);
});

test('files outside the folder that links lead to are not served', async () => {
  await using folder = await webFolder();
  await symlink('/etc/passwd', join(folder.path, 'passwd.txt'));
  expect(Array.from((await loadSite(folder.path)).files.keys())).not.toContain('/passwd.txt');
});
