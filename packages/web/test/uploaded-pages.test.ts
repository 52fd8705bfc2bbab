import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { addStaticFile } from '../../server/test/support/static-files.ts';
import { startTestInstance, type TestInstance } from '../../server/test/support/test-instance.ts';
import { upload } from '../../server/test/support/upload-form.ts';
import { browserTest } from './support/chromium.ts';
import { ForeignSite } from './support/foreign-site.ts';
import { useBrowser } from './support/use-browser.ts';

interface HostileFile {
  readonly name: string;
  /** What a careless server would serve it as. */
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

/** A policy refuses what the hostile page tries, and its browser says so in the console. */
const REFUSALS = /policy|sandboxed|Content Security|Not allowed to load/i;

/** A page that has `address` in itself in every way there is. */
const around = (address: string) =>
  `<!doctype html><title>around</title><iframe src="${address}"></iframe><embed src="${address}"><object data="${address}"></object><img alt="" src="${address}">`;

describe.each(HOSTILE_FILES)(
  '[FS22][FS23] the script in $name',
  ({ name, contentType, content }) => {
    browserTest('runs at a careless server, and in no upload or static file', async () => {
      const visit = await browser.visit();
      visit.expectFaults(REFUSALS);
      const { id } = await upload(files, content(`${site.origin}/ran/upload/${name}`), name);
      await addStaticFile(instance, name, content(`${site.origin}/ran/static/${name}`));
      const addresses = [`${files}/${id}`, `${files}/static/${name}`];
      const hosts = addresses.map((address, index) =>
        site.serve(`/around/${index}/${name}`, { body: around(address) }),
      );
      for (const address of [...addresses, ...hosts])
        await (await visit.context.newPage()).goto(address);

      // Had one of those run, it would have done so before this.
      const beacon = `${site.origin}/ran/careless/${name}`;
      const hasRun = visit.page.waitForRequest(beacon);
      await visit.page.goto(
        site.serve(`/careless/${name}`, {
          body: content(beacon),
          headers: { 'Content-Type': contentType },
        }),
      );
      await hasRun;
      const ran = [...site.asked, ...visit.requested].filter((path) => path.includes('/ran/'));
      expect(ran.filter((path) => path.endsWith(name) && !path.includes('/careless/'))).toEqual([]);
    });
  },
);
