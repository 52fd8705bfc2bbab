import { afterAll, beforeAll, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { encodeForm, postForm, readFileData } from '@hearth/testing/clients/upload-form';
import { atWebPort } from '@hearth/testing/instances/at-web-port';
import { addStaticFile } from '@hearth/testing/instances/static-files';
import { Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const SCRIPT = 'globalThis.hasRun = import.meta?.url ?? true; export {};';
const CLASSIC = 'globalThis.hasRun = true; globalThis.postMessage?.("ran");';

const browser = useBrowser();
let instance: WebInstance;
let files: string;

beforeAll(async () => {
  instance = await WebInstance.start();
  ({ files } = atWebPort(instance.url));
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Uploads a script that claims to be one, and returns its address at the page's origin. */
async function uploadScript(text: string, name: string): Promise<string> {
  const head = `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/javascript`;
  const { id } = await readFileData(await postForm(files, encodeForm({ head, data: text })));
  return `${files}/${id}`;
}

/** Resolves with what becomes of a script in the page, for every way to run one: `refused`, or what it did. */
async function outcomesIn(page: Page, address: string): Promise<Record<string, string>> {
  return page.evaluate(async (url) => {
    const types: unknown = Reflect.get(globalThis, 'trustedTypes');
    const same = (text: string) => text;
    const make = (name: string) => {
      try {
        // Guarantee: the browser of this test knows trusted types.
        const factory = types as {
          createPolicy(name: string, rules: object): { createScriptURL(url: string): string };
        };
        return factory.createPolicy(name, { createScriptURL: same });
      } catch {
        return undefined;
      }
    };
    const known: unknown = Reflect.get(globalThis, 'policyOfTest');
    const policy = (known ?? make('dompurify') ?? make('hearth')) as ReturnType<typeof make>;
    if (policy === undefined) throw new Error('the page uses both policies already');
    Reflect.set(globalThis, 'policyOfTest', policy);
    const trusted = policy.createScriptURL(url);
    const within = (run: () => Promise<string>) => run().catch(() => 'refused');
    const element = (type: string) =>
      new Promise<string>((resolve) => {
        const script = document.createElement('script');
        script.type = type;
        script.src = trusted;
        script.addEventListener('load', () => resolve('ran'));
        script.addEventListener('error', () => resolve('refused'));
        document.head.append(script);
      });
    const worker = () =>
      new Promise<string>((resolve, reject) => {
        const started = new Worker(trusted);
        started.addEventListener('message', () => resolve('ran'));
        started.addEventListener('error', reject);
      });
    const style = () =>
      new Promise<string>((resolve) => {
        const link = document.createElement('link');
        link.rel = 'stylesheet';
        link.href = url;
        link.addEventListener('load', () => resolve('applied'));
        link.addEventListener('error', () => resolve('refused'));
        document.head.append(link);
      });
    return {
      import: await within(() => import(url).then(() => 'ran')),
      module: await element('module'),
      classic: await element(''),
      worker: await within(worker),
      serviceWorker: await within(() =>
        navigator.serviceWorker.register(trusted, { scope: './x' }).then(() => 'registered'),
      ),
      style: await style(),
    };
  }, address);
}

const REFUSED = {
  import: 'refused',
  module: 'refused',
  classic: 'refused',
  worker: 'refused',
  serviceWorker: 'refused',
  style: 'refused',
};

browserTest(
  '[OA7][OA8] no uploaded script runs in the page, and neither does one of the owner that has the type of a script',
  async () => {
    const visit = await browser.visit({ serviceWorkers: 'allow' });
    visit.expectFaults(/./);
    const { page } = await Someone.enter(visit, instance);
    const violated = new Set<string>();
    page.on('console', (message) => {
      const [, directive] = /^policy violated: (\S+)/.exec(message.text()) ?? [];
      if (directive !== undefined) violated.add(directive);
    });
    const uploads = [
      await uploadScript(SCRIPT, 'module.mjs'),
      await uploadScript(CLASSIC, 'classic.js'),
      await uploadScript(`/*${CLASSIC}`, 'GIF89a.js'),
    ];
    for (const address of uploads) expect(await outcomesIn(page, address)).toEqual(REFUSED);

    await addStaticFile(instance, 'classic.js', CLASSIC);
    const owners = `${files}/static/classic.js`;
    expect((await fetch(owners)).headers.get('content-type')).toStartWith('text/javascript');
    violated.clear();
    expect(await outcomesIn(page, owners)).toEqual(REFUSED);
    expect([...violated].toSorted()).toEqual(['script-src-elem', 'worker-src']);
    expect(await page.evaluate(() => Reflect.has(globalThis, 'hasRun'))).toBe(false);

    // The page's own scripts run in the same ways.
    const own = await page.locator('script[type=module][src]').first().getAttribute('src');
    const outcomes = await outcomesIn(page, new URL(own ?? '', instance.url).href);
    expect(outcomes).toMatchObject({ import: 'ran', module: 'ran' });
  },
);

browserTest(
  "[OA8] an upload that is opened at the page's origin has none of what the page has",
  async () => {
    const visit = await browser.visit();
    visit.expectFaults(/./);
    await Someone.enter(visit, instance);
    for (const text of [
      '<!doctype html><script>hasRun = 1</script>',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'text',
    ]) {
      const address = await uploadScript(text, 'page.html');
      const answer = await visit.page.goto(address);
      expect(answer?.headers()['content-security-policy']).toContain('sandbox');
      // An opaque origin has no storage.
      expect(await visit.page.evaluate(() => [origin, document.scripts.length])).toEqual([
        'null',
        0,
      ]);
    }
  },
);
