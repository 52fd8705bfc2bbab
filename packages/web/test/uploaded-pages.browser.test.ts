import { afterAll, beforeAll, expect } from 'bun:test';
import { addStaticFile } from '@hearth/testing/instances/static-files';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { upload } from '@hearth/testing/clients/upload-form';
import { browserTest } from '@hearth/testing/browser/chromium';
import { ForeignSite } from '@hearth/testing/browser/foreign-site';
import { useBrowser } from '@hearth/testing/browser/use-browser';

interface HostileFile {
  readonly name: string;
  /** The type with which a careless server would serve it. */
  readonly contentType: string;
  /** The file, which asks for `beacon` if it may run. */
  readonly content: (beacon: string) => string;
}

const script = (beacon: string) => `fetch('${beacon}', { mode: 'no-cors', keepalive: true })`;

const HOSTILE_FILES: readonly HostileFile[] = [
  {
    name: 'page.html',
    contentType: 'text/html',
    content: (beacon) =>
      `<!doctype html><title>x</title><script>${script(beacon)}</script><img src=x onerror="${script(beacon)}">`,
  },
  {
    name: 'drawing.svg',
    contentType: 'image/svg+xml',
    content: (beacon) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${script(beacon)}"><script>${script(beacon)}</script></svg>`,
  },
  {
    name: 'frame.svg',
    contentType: 'image/svg+xml',
    content: (beacon) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script>${script(beacon)}&lt;/script>"/></foreignObject></svg>`,
  },
  {
    name: 'page.xhtml',
    contentType: 'application/xhtml+xml',
    content: (beacon) =>
      `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><script>${script(beacon)}</script></head><body/></html>`,
  },
  {
    name: 'data.xml',
    contentType: 'text/xml',
    content: (beacon) =>
      `<?xml version="1.0"?><a><script xmlns="http://www.w3.org/1999/xhtml">${script(beacon)}</script></a>`,
  },
  {
    name: 'refresh.html',
    contentType: 'text/html',
    content: (beacon) => `<!doctype html><meta http-equiv="refresh" content="0; url=${beacon}">`,
  },
];

const browser = useBrowser();
let instance: TestInstance;
let site: ForeignSite;
let files: string;

beforeAll(async () => {
  [instance, site] = await Promise.all([startTestInstance(), ForeignSite.start()]);
  ({ files } = instance.addresses);
});

afterAll(async () => {
  await Promise.all([instance, site].map((each) => each[Symbol.asyncDispose]()));
});

/** A policy refuses what the hostile page tries, and its browser logs that in the console. */
const REFUSALS = /policy|sandboxed|Content Security|Not allowed to load/i;

/** An element for every way to have `address` in a page. */
const around = (address: string) =>
  `<iframe src="${address}"></iframe><embed src="${address}"><object data="${address}"></object><img alt="" src="${address}">`;

browserTest(
  '[FS22][FS23] a script in an upload or a static file runs nowhere, opened or embedded',
  async () => {
    const visit = await browser.emptyVisit();
    visit.expectFaults(REFUSALS);
    const addresses: string[] = [];
    for (const { name, content } of HOSTILE_FILES) {
      const { id } = await upload(files, content(`${site.origin}/ran/upload/${name}`), name);
      await addStaticFile(instance, name, content(`${site.origin}/ran/static/${name}`));
      addresses.push(`${files}/${id}`, `${files}/static/${name}`);
    }
    const host = site.serve('/around', { body: addresses.map(around).join('') });
    for (const address of [...addresses, host]) await (await visit.context.newPage()).goto(address);

    // Had one of those run, it would have done so before these.
    for (const { name, content, contentType } of HOSTILE_FILES) {
      const beacon = `${site.origin}/ran/careless/${name}`;
      const hasRun = visit.page.waitForRequest(beacon);
      const headers = { 'Content-Type': contentType };
      await visit.page.goto(site.serve(`/careless/${name}`, { body: content(beacon), headers }));
      await hasRun;
    }
    const ran = [...site.asked, ...visit.requested].filter((path) => path.includes('/ran/'));
    expect(ran.filter((path) => !path.includes('/careless/'))).toEqual([]);
  },
);
