import { RATE_LIMIT_HEADERS } from '@hearth/protocol';
import { fileDataSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, expect } from 'bun:test';
import { join } from 'node:path';
import { browserDescribe, browserTest } from '@hearth/testing/browser/chromium';
import { ELSEWHERE, ForeignSite } from '@hearth/testing/browser/foreign-site';
import { countPreflights } from '@hearth/testing/browser/preflights';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import type { Visit } from '@hearth/testing/browser/visit';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { upload } from '@hearth/testing/clients/upload-form';

const MEDIA = join(import.meta.dir, '../../testing/src/media');
const PROGRESS_BYTES = 3_000_000;
const TIGHT_LIMITS = GENEROUS_LIMITS.replace(
  /^fetch_file = .*$/m,
  'fetch_file = { reset_after = 600, limit = 1 }',
).replace(
  /^attachments = .*$/m,
  'attachments = { reset_after = 600, limit = 9, file_size_limit = 50 }',
);

const browser = useBrowser();
let instance: TestInstance;
let tight: TestInstance;
let site: ForeignSite;
let files: string;

beforeAll(async () => {
  [instance, tight, site] = await Promise.all([
    startTestInstance(),
    startTestInstance({ toml: TIGHT_LIMITS }),
    ForeignSite.start(),
  ]);
  ({ files } = instance.addresses);
});

afterAll(async () => {
  await Promise.all([instance, tight, site].map((each) => each[Symbol.asyncDispose]()));
});

const uploadFixture = async (name: string) =>
  upload(files, await Bun.file(join(MEDIA, name)).bytes(), name);

browserDescribe.each(ELSEWHERE)('[HT3] a page from %s', (kind) => {
  let visit: Visit;

  beforeAll(async () => {
    visit = await browser.emptyVisit('file');
    await visit.page.goto(site.emptyPage(kind));
  });

  /** Uploads a text from within the page by fetch, and returns what the page may read of the answer. */
  const uploadInPage = (address: string, content: string) =>
    visit.page.evaluate(
      async ({ url, text, names }) => {
        const form = new FormData();
        form.append('file', new File([text], 'näme.txt'));
        form.append('spoiler', 'true');
        const answer = await fetch(`${url}/attachments`, { method: 'POST', body: form });
        return {
          status: answer.status,
          body: await answer.json(),
          headers: names.filter((name) => answer.headers.has(name)),
        };
      },
      { url: address, text: content, names: Object.values(RATE_LIMIT_HEADERS) },
    );

  browserTest('uploads by fetch without a preflight', async () => {
    const answers: Awaited<ReturnType<typeof uploadInPage>>[] = [];
    const preflights = await countPreflights(visit.page, async () => {
      answers.push(await uploadInPage(files, 'good evening'));
    });
    expect(preflights).toBe(0);
    expect(answers[0]).toMatchObject({
      status: 200,
      body: { name: 'näme.txt', spoiler: true, metadata: { type: 'text' } },
      headers: Object.values(RATE_LIMIT_HEADERS),
    });
  });

  browserTest('uploads by XMLHttpRequest and sees the progress', async () => {
    const reports: { body: unknown; sent: number[]; total: number }[] = [];
    const preflights = await countPreflights(visit.page, async () => {
      reports.push(
        await visit.page.evaluate(
          ({ url, size }) =>
            new Promise<{ body: unknown; sent: number[]; total: number }>((resolve, reject) => {
              const sent: number[] = [];
              let total = 0;
              const request = new XMLHttpRequest();
              request.upload.addEventListener('progress', (event) => {
                sent.push(event.loaded);
                total = event.total;
              });
              request.addEventListener('load', () =>
                resolve({ body: JSON.parse(request.responseText), sent, total }),
              );
              request.addEventListener('error', () => reject(new Error('it failed')));
              const form = new FormData();
              form.append('file', new Blob([new Uint8Array(size)]), 'large.bin');
              request.open('POST', url);
              request.send(form);
            }),
          { url: files, size: PROGRESS_BYTES },
        ),
      );
    });
    // A listener for progress makes the browser send a preflight even for a plain form.
    expect(preflights).toBe(1);
    const [{ body, sent, total }] = reports as [(typeof reports)[0]];
    expect(fileDataSchema.parse(body).name).toBe('large.bin');
    expect(total).toBeGreaterThan(PROGRESS_BYTES);
    expect(sent.at(-1)).toBe(total);
    expect(sent).toEqual(sent.toSorted((a, b) => a - b));
  });

  browserTest('reads FileData, a content with its name, and a range of it', async () => {
    const { id } = await upload(files, 'good evening', 'greeting.txt');
    const read = await visit.page.evaluate(async (url) => {
      const data = await fetch(`${url}/data`);
      const whole = await fetch(url);
      // The first is how a browser requests a range of a video; the second needs a preflight.
      const part = await fetch(url, { headers: { Range: 'bytes=5-' }, cache: 'no-store' });
      const odd = await fetch(url, { headers: { Range: 'bytes=-4' }, cache: 'no-store' });
      return {
        data: await data.json(),
        whole: [
          await whole.text(),
          whole.headers.get('Content-Length'),
          whole.headers.get('Content-Disposition'),
        ],
        part: [part.status, await part.text(), part.headers.get('Content-Range')],
        odd: [odd.status, await odd.text(), odd.headers.get('Content-Range')],
      };
    }, `${files}/${id}`);
    expect(read).toEqual({
      data: {
        ...{ id, name: 'greeting.txt', bucket: 'attachments', metadata: { type: 'text' } },
        size: 12,
      },
      whole: ['good evening', '12', 'inline; filename=greeting.txt'],
      part: [206, 'evening', 'bytes 5-11/12'],
      odd: [206, 'ning', 'bytes 8-11/12'],
    });
  });

  browserTest('shows a picture, and may read its pixels if it sets crossOrigin', async () => {
    const { id } = await uploadFixture('baseline.jpg');
    const shown = await visit.page.evaluate(async (src) => {
      const load = async (crossOrigin: string | null) => {
        const image = new Image();
        image.crossOrigin = crossOrigin;
        image.src = src;
        await image.decode();
        return image;
      };
      const plain = await load(null);
      const readable = await load('anonymous');
      const context = document.createElement('canvas').getContext('2d');
      context?.drawImage(readable, 0, 0);
      return {
        size: [plain.naturalWidth, plain.naturalHeight],
        alpha: context?.getImageData(0, 0, 1, 1).data[3],
      };
    }, `${files}/${id}`);
    expect(shown).toEqual({ size: [67, 45], alpha: 255 });
  });

  browserTest('plays a video, and seeks in it', async () => {
    const { id } = await uploadFixture('vp9.webm');
    const played = await visit.page.evaluate(async (src) => {
      const video = document.createElement('video');
      video.muted = true;
      video.src = src;
      const event = (name: string) =>
        new Promise((resolve, reject) => {
          video.addEventListener(name, resolve, { once: true });
          video.addEventListener('error', () => reject(new Error(video.error?.message)));
        });
      await event('loadeddata');
      const hasSeeked = event('seeked');
      video.currentTime = video.duration / 2;
      await hasSeeked;
      return { size: [video.videoWidth, video.videoHeight], hasMoved: video.currentTime > 0 };
    }, `${files}/${id}`);
    expect(played).toEqual({ size: [64, 48], hasMoved: true });
  });

  browserTest(
    'reads every error: a missing file, a wrong form, and the limits of requests and of bytes',
    async () => {
      visit.expectFaults(/the server responded with a status of 4(04|22|29) /);
      const address = tight.addresses.files;
      const fetchInPage = (url: string, init: { method?: string; body?: string } = {}) =>
        visit.page.evaluate(
          async ([target, options]) => {
            const answer = await fetch(target, options);
            return { max: answer.headers.get('X-RateLimit-Max'), body: await answer.json() };
          },
          [url, init] as const,
        );
      expect(await fetchInPage(`${files}/1`)).toMatchObject({ body: { status: 404 } });
      const wrong = await fetchInPage(files, { method: 'POST', body: 'no form' });
      expect(wrong.body).toMatchObject({ status: 422, data: { field_name: 'body' } });
      await fetchInPage(`${address}/1`);
      const limited = await fetchInPage(`${address}/1`);
      expect(limited).toMatchObject({ max: '1', body: { status: 429 } });
      expect(limited.body.data.retry_after).toBeGreaterThan(0);
      const { status, body, headers } = await uploadInPage(address, 'x'.repeat(51));
      expect([status, headers]).toEqual([429, Object.values(RATE_LIMIT_HEADERS)]);
      expect(body.data).toEqual({
        retry_after: expect.any(Number),
        bytes_left: expect.any(Number),
      });
    },
  );
});

browserTest('[FS23] a page that isolates itself may embed contents', async () => {
  const { id } = await uploadFixture('palette.png');
  const visit = await browser.visit();
  const address = site.serve('/isolated', {
    body: `<!doctype html><title>Isolated</title><img alt="" src="${files}/${id}">`,
    headers: {
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Opener-Policy': 'same-origin',
    },
  });
  await visit.page.goto(address);
  const seen = await visit.page.evaluate(() => ({
    isIsolated: crossOriginIsolated,
    width: document.images[0]?.naturalWidth,
  }));
  expect(seen).toEqual({ isIsolated: true, width: 67 });
});
