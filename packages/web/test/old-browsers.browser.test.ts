import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import type { Visit } from '@hearth/testing/browser/visit';
import { WITHOUT_DISPOSING } from '@hearth/testing/browser/without-disposing';
import { builtWebFolder } from '@hearth/testing/instances/built-web-folder';
import { Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
});

afterAll(() => instance[Symbol.asyncDispose]());

browserTest('[WC301] the client works in a browser without Symbol.dispose', async () => {
  const visit = await browser.visit();
  await visit.context.addInitScript(WITHOUT_DISPOSING);
  await instance.post('written before');
  const grace = await Someone.enter(visit, instance);
  await grace.reads('written before');
  await grace.say('written here');
  await grace.reads('written here');
  expect(await grace.page.evaluate(() => String(Symbol.dispose))).toBe('Symbol(Symbol.dispose)');
});

test('[WC301] the polyfills come before all modules of the page, and are the first import of every worker', async () => {
  const folder = await builtWebFolder();
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const loaded = page.match(/<script\b[^>]*>|<link[^>]* rel="modulepreload"[^>]*>/g) ?? [];
  expect(loaded[0]).toMatch(/^<script src="assets\/too-old-\w+\.js">$/);
  expect(loaded[1]).toMatch(/^<script src="assets\/before-modules-\w+\.js">$/);
  // Only a script beside the page may run as a worker.
  const workers = readdirSync(folder).filter((name) => name.endsWith('.js'));
  expect(workers.toSorted()).toEqual(['proof.js', 'sw.js']);
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

/** Opens the page and returns the text that it shows in place of everything else. */
async function noticeOf(visit: Visit): Promise<string | null> {
  visit.expectFaults(/./);
  await visit.page.goto(instance.url);
  return visit.page.getByRole('alert').textContent();
}

describe('[WC303] a browser that is too old', () => {
  browserTest('gets a sentence in English', async () => {
    const visit = await browser.visit();
    await visit.context.addInitScript('delete Promise.withResolvers');
    expect(await noticeOf(visit)).toStartWith('This browser is too old for this page.');
    expect(await visit.page.getByRole('textbox').count()).toBe(0);
  });

  browserTest('gets a sentence in German, also without styles', async () => {
    const visit = await browser.visit({ locale: 'de-DE' });
    await visit.context.addInitScript('delete HTMLElement.prototype.popover');
    await visit.page.route('**/*.css', (route) => route.abort());
    expect(await noticeOf(visit)).toStartWith('Dieser Browser ist zu alt für diese Seite.');
    expect(await visit.page.getByRole('alert').getAttribute('lang')).toBe('de');
    expect(await visit.page.getByRole('alert').isVisible()).toBe(true);
  });

  browserTest('gets it if it does not know modules', async () => {
    const visit = await browser.visit();
    await visit.context.addInitScript('delete HTMLScriptElement.prototype.noModule');
    // Such a browser ignores scripts of a type that it does not know.
    await visit.page.route('**/assets/main-*.js', (route) => route.abort());
    expect(await noticeOf(visit)).toStartWith('This browser is too old for this page.');
  });
});

describe('[WC304] a page whose scripts do not load', () => {
  browserTest.each([
    ['fail', { status: 500, contentType: 'text/plain', body: '' }],
    ['have a mistake', { contentType: 'text/javascript', body: '{' }],
  ])('a page says so if they %s', async (_, answer) => {
    const visit = await browser.emptyVisit();
    await visit.page.route('**/assets/main-*.js', (route) => route.fulfill(answer));
    expect(await noticeOf(visit)).toStartWith('This page could not be loaded.');
  });

  browserTest('does not say so if it starts nevertheless', async () => {
    const visit = await browser.visit();
    visit.expectFaults(/./);
    // Before the modules run.
    const report = "() => dispatchEvent(new ErrorEvent('error')), { once: true }";
    await visit.context.addInitScript(`document.addEventListener('readystatechange', ${report})`);
    const grace = await Someone.arrive(visit, instance);
    expect(await grace.page.getByText('could not be loaded').count()).toBe(0);
  });

  browserTest('says in both languages that it needs scripts if they are switched off', async () => {
    const visit = await browser.visit({ javaScriptEnabled: false });
    await visit.page.goto(instance.url);
    expect(await visit.page.locator('noscript p').allTextContents()).toEqual([
      expect.stringContaining('This page needs JavaScript.'),
      expect.stringContaining('Diese Seite braucht JavaScript.'),
    ]);
  });
});
