import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { builtWebFolder } from '@hearth/testing/instances/built-web-folder';
import { Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

/** Takes the symbols of `using` away. No property of `Symbol` can be deleted, so it becomes another function. */
const WITHOUT_DISPOSING = `{
  const { dispose, asyncDispose, ...others } = Object.getOwnPropertyDescriptors(Symbol);
  const own = (description) => known(description);
  const known = Symbol;
  globalThis.Symbol = Object.defineProperties(own, others);
}`;

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
});

afterAll(() => instance[Symbol.asyncDispose]());

browserTest('[WC301] the client works in a browser that does not know Symbol.dispose', async () => {
  const visit = await browser.visit();
  await visit.context.addInitScript(WITHOUT_DISPOSING);
  await instance.post('written before');
  const grace = await Someone.enter(visit, instance);
  await grace.reads('written before');
  await grace.say('written here');
  await grace.reads('written here');
  expect(await grace.page.evaluate(() => String(Symbol.dispose))).toBe('Symbol(Symbol.dispose)');
});

test('[WC301] the polyfills are the first script of the page, and the first import of every script of its own', async () => {
  const page = readFileSync(join(await builtWebFolder(), 'index.html'), 'utf8');
  const [first] = /<script\b[^>]*>|<link[^>]* rel="modulepreload"[^>]*>/.exec(page) ?? [];
  expect(first).toMatch(/^<script src="assets\/before-modules-\w+\.js">$/);
  for (const source of ['before-modules', 'service-worker', 'account/proof/proof-worker']) {
    const text = readFileSync(join(import.meta.dir, `../src/${source}.ts`), 'utf8');
    const [imported] = /^import .*$/m.exec(text) ?? [];
    expect(imported).toMatch(/^import '(?:\.\/|\.\.\/\.\.\/)polyfills\.ts';$/);
  }
});

browserTest('[WC305] a click beside a dialog closes it without closedby', async () => {
  const visit = await browser.visit();
  await visit.context.addInitScript('delete HTMLDialogElement.prototype.closedBy');
  const grace = await Someone.enter(visit, instance);
  await grace.page.goto(`${instance.url}settings/appearance`);
  const dialog = grace.page.locator('dialog[open]');
  await dialog.waitFor();
  // A browser closes dialogs only on clicks of people.
  const clickAt = (beside: number) =>
    dialog.evaluate((element, distance) => {
      const { left, top } = element.getBoundingClientRect();
      const at = { clientX: left - distance, clientY: top + 1 };
      element.dispatchEvent(new MouseEvent('click', { bubbles: true, ...at }));
    }, beside);
  await clickAt(-1);
  expect(await dialog.count()).toBe(1);
  await clickAt(1);
  await dialog.waitFor({ state: 'detached' });
});
