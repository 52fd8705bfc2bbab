import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { de } from '../src/text/de.ts';
import { en } from '../src/text/en.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { makePicture } from './support/picture.ts';
import { KeptLobby } from './support/kept-lobby.ts';
import { eventually, Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { MOVING } from '@hearth/testing/browser/visit';
import { atWebPort } from '@hearth/testing/instances/at-web-port';
import { tempFolder } from '@hearth/testing/temp-folder';
import { WebInstance } from './support/web-instance.ts';

const MEDIA = join(import.meta.dir, '../../testing/src/media');
const PNG = 'image/png';

const browser = useBrowser();
const lobby = new KeptLobby(browser);
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
});

afterAll(() => instance[Symbol.asyncDispose]());

/** An audio file without a sound. */
function silence(seconds: number): Buffer {
  const rate = 8_000;
  const samples = Buffer.alloc(seconds * rate, 128);
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  for (const [value, at] of [
    [1, 20],
    [1, 22],
    [1, 32],
    [8, 34],
  ] as const)
    head.writeUInt16LE(value, at);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

const picker = (someone: Someone) => someone.page.locator('input[type=file]');

/** A file as a page gets it when it is dragged or pasted. */
interface PageFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

/** Drops a file on the page, as a person does who drags it from elsewhere. */
async function drop(someone: Someone, file: PageFile): Promise<void> {
  const transfer = await someone.page.evaluateHandle(({ name, type, base64 }) => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    data.items.add(new File([bytes], name, { type }));
    return data;
  }, file);
  for (const event of ['dragenter', 'dragover', 'drop'])
    await someone.log.dispatchEvent(event, { dataTransfer: transfer });
}

const pixelsOf = (picture: Locator) =>
  picture.evaluate((image) =>
    image instanceof HTMLImageElement ? [image.naturalWidth, image.naturalHeight] : [],
  );

describe('a picture', () => {
  browserTest(
    '[WC26] is sent with the file input, and seen by others and by later visitors',
    async () => {
      const grace = await lobby.enter(instance);
      const alan = await Someone.enter(await browser.emptyVisit(), instance, 'Alan');
      const picture = makePicture(1, 320, 240);
      await picker(grace).setInputFiles({ name: 'hills.png', mimeType: PNG, buffer: picture });
      await grace.say('look at these hills');
      for (const someone of [grace, alan]) {
        const image = someone.log.getByRole('img', { name: en.attachments.picture('hills.png') });
        await image.waitFor();
        await eventually(() => pixelsOf(image), [320, 240]);
        await someone.reads('look at these hills');
        expect(await someone.log.getByText(atWebPort(instance.url).files).count()).toBe(0);
      }
      const under = (someone: Someone) =>
        someone.log.locator('.picture-under').last().getAttribute('src');
      // One's own picture is there at once, and others' have a placeholder.
      expect(await under(grace)).toStartWith('blob:');
      expect(await under(alan)).toStartWith('data:image/png');
      const [content = ''] = await instance.contents(1);
      const [text, address = ''] = content.split('\n');
      expect(text).toBe('look at these hills');
      expect(address).toStartWith(`${atWebPort(instance.url).files}/`);
      expect(Buffer.from(await (await fetch(address)).arrayBuffer()).equals(picture)).toBe(true);
      const later = await Someone.enter(await browser.emptyVisit(), instance, 'Ada');
      await later.log.getByRole('img', { name: en.attachments.picture('hills.png') }).waitFor();
    },
  );

  browserTest('is sent by drag and drop', async () => {
    const grace = await lobby.enter(instance);
    const base64 = makePicture(2).toString('base64');
    await drop(grace, { name: 'dropped.png', type: PNG, base64 });
    await grace.button(en.composer.removeFile('dropped.png')).waitFor();
    await grace.messageBox.press('Enter');
    await grace.log.getByRole('img', { name: en.attachments.picture('dropped.png') }).waitFor();
  });

  browserTest('is sent by paste, which also works for text', async () => {
    const visit = await browser.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    const grace = await Someone.enter(visit, instance);
    await grace.page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const blob = new Blob([bytes], { type: 'image/png' });
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    }, makePicture(3).toString('base64'));
    await grace.messageBox.press('Control+V');
    await grace.page.getByRole('list', { name: en.composer.files }).waitFor();
    await grace.page.evaluate(() => navigator.clipboard.writeText('pasted words'));
    await grace.messageBox.press('Control+V');
    await eventually(() => grace.messageBox.inputValue(), 'pasted words');
    await grace.messageBox.press('Enter');
    await grace.reads('pasted words');
    await eventually(async () => {
      const [content = ''] = await instance.contents(1);
      return /^pasted words\nhttp:\S+$/.test(content);
    }, true);
  });

  browserTest('can be removed before it is sent', async () => {
    const grace = await lobby.enter(instance);
    await picker(grace).setInputFiles({ name: 'not.png', mimeType: PNG, buffer: makePicture(4) });
    await grace.button(en.composer.removeFile('not.png')).click();
    await grace.say('without it');
    await grace.reads('without it');
    await eventually(() => instance.contents(1), ['without it']);
  });

  browserTest(
    '[WC29] opens large, follows keys and fingers, and closes with Escape and Back',
    async () => {
      const grace = await Someone.enter(await browser.visit(MOVING), instance);
      const { page } = grace;
      await instance.post(await instance.store(makePicture(5, 640, 480), 'large.png'));
      await instance.post(await instance.store(makePicture(50, 640, 480), 'next.png'));
      const large = page.getByRole('dialog', { name: en.attachments.large('large.png') });
      const next = page.getByRole('dialog', { name: en.attachments.large('next.png') });
      const address = page.url();
      await grace.button(en.attachments.open('large.png')).click();
      await large.getByRole('img').waitFor();
      await page.keyboard.press('ArrowRight');
      await next.getByRole('img').waitFor();
      const scale = () =>
        next
          .locator('.large-picture')
          .evaluate((picture) => new DOMMatrix(getComputedStyle(picture).transform).a);
      await page.keyboard.press('+');
      await eventually(scale, 1.5);
      await page.keyboard.press('0');
      await eventually(scale, 1);
      await next.getByRole('img').dblclick();
      await eventually(scale, 2.5);
      await next.getByRole('button', { name: en.attachments.zoom, pressed: true }).click();
      await eventually(scale, 1);
      await next.getByRole('img').hover();
      await page.mouse.down();
      await page.mouse.move(900, 300, { steps: 4 });
      await page.mouse.up();
      await large.getByRole('img').waitFor();
      // A browser goes back only after a while.
      await page.keyboard.press('Escape');
      await large.waitFor({ state: 'hidden' });
      await eventually(() => grace.entriesBefore(), 0);
      await grace.button(en.attachments.open('large.png')).click();
      await large.getByRole('img').waitFor();
      await grace.goBack({ from: 1 });
      await large.waitFor({ state: 'hidden' });
      expect(page.url()).toBe(address);
    },
  );

  browserTest(
    '[WC29][WC29a] is no longer large after a reload, and Back needs no step for it',
    async () => {
      const grace = await lobby.enter(instance);
      const { page } = grace;
      await instance.post(await instance.store(makePicture(51, 640, 480), 'reloaded.png'));
      await grace.button(en.attachments.open('reloaded.png')).click();
      await page.getByRole('dialog').getByRole('img').waitFor();
      await page.reload();
      await grace.button(en.attachments.open('reloaded.png')).waitFor();
      await eventually(() => grace.entriesBefore(), 0);
      expect(await page.getByRole('dialog').count()).toBe(0);
    },
  );

  browserTest(
    'that is a spoiler is hidden, and not even fetched, until it is clicked',
    async () => {
      const grace = await lobby.enter(instance);
      const other = await browser.emptyVisit();
      const alan = await Someone.enter(other, instance, 'Alan');
      await picker(grace).setInputFiles({ name: 'end.png', mimeType: PNG, buffer: makePicture(6) });
      await grace.page
        .getByRole('checkbox', { name: en.composer.spoilerHint('end.png') })
        .setChecked(true);
      await grace.say('how it ends');
      const veil = alan.button(en.attachments.reveal('end.png'));
      await veil.waitFor();
      const [content = ''] = await instance.contents(1);
      const address = content.split('\n')[1] ?? '';
      const id = address.slice(address.lastIndexOf('/'));
      const contentOf = () =>
        other.requested.filter((each) => each.includes(id) && !each.endsWith('/data'));
      const image = alan.log.getByRole('img', { name: en.attachments.picture('end.png') });
      expect(await image.count()).toBe(0);
      expect(contentOf()).toEqual([]);
      await veil.click();
      await image.waitFor();
      // If the instance is busy, the page asks again.
      expect(contentOf()).not.toEqual([]);
      const hide = alan.button(en.attachments.hideNamed('end.png'));
      const hasFocus = (button: typeof hide) =>
        button.evaluate((element) => element === document.activeElement);
      expect(await hasFocus(hide)).toBe(true);
      await hide.press('Enter');
      expect(await image.count()).toBe(0);
      expect(await hasFocus(veil)).toBe(true);
    },
  );

  browserTest("is named in the reader's language", async () => {
    const hilde = await Someone.arrive(await browser.visit({ locale: 'de' }), instance);
    await hilde.textBoxes.fill('Hilde');
    await hilde.textBoxes.press('Enter');
    await instance.post(await instance.store(makePicture(7), 'berge.png'));
    await hilde.log.getByRole('img', { name: de.attachments.picture('berge.png') }).waitFor();
  });
});

describe('other files', () => {
  browserTest('[WC28] a video plays in the list, until an audio file does', async () => {
    const grace = await lobby.enter(instance);
    const bytes = await Bun.file(join(MEDIA, 'vp9.webm')).bytes();
    await instance.post(await instance.store(bytes, 'clip.webm'));
    await grace.button(en.attachments.play('clip.webm')).click();
    const video = grace.log.locator('video');
    await eventually(
      () =>
        video.evaluate((element) =>
          element instanceof HTMLVideoElement ? [element.videoWidth, element.error] : [],
        ),
      [64, null],
    );
    // A second player pauses the first.
    await video.evaluate((element) => {
      if (element instanceof HTMLVideoElement) element.loop = true;
    });
    await instance.post(await instance.store(silence(30), 'rest.wav'));
    const audio = grace.log.locator('audio');
    await audio.waitFor();
    await video.evaluate(async (element) => {
      if (element instanceof HTMLVideoElement) await element.play();
    });
    const seconds = await audio.evaluate(async (element) => {
      if (!(element instanceof HTMLAudioElement)) return undefined;
      await element.play();
      return element.duration;
    });
    expect(seconds).toBe(30);
    await eventually(
      () => video.evaluate((element) => element instanceof HTMLVideoElement && element.paused),
      true,
    );
  });

  browserTest('a text file shows its beginning, unchanged', async () => {
    const grace = await lobby.enter(instance);
    const text = '<b>not bold</b>\n**nor this**\n'.padEnd(300, 'and so on ');
    await instance.post(await instance.store(text, 'notes.txt'));
    const preview = grace.page.getByRole('group', {
      name: en.attachments.textPreview('notes.txt'),
    });
    await preview.waitFor();
    expect(await preview.textContent()).toBe(text);
  });

  browserTest('[WC28] six lines of code are shown, in colours, and all on request', async () => {
    const grace = await lobby.enter(instance);
    const lines = Array.from({ length: 9 }, (_, index) => `const line${index} = ${index};`);
    await instance.post(await instance.store(lines.join('\n'), 'lines.ts'));
    const preview = grace.page.getByRole('group', {
      name: en.attachments.textPreview('lines.ts'),
    });
    await preview.locator('.hljs-keyword').first().waitFor();
    expect(await preview.textContent()).toBe(lines.slice(0, 6).join('\n'));
    await grace.button(en.attachments.showAll).click();
    await eventually(() => preview.textContent(), lines.join('\n'));
    await grace.button(en.attachments.showLess).click();
    await eventually(() => preview.textContent(), lines.slice(0, 6).join('\n'));
  });

  browserTest(
    'a file can be downloaded under its name, even if a browser could show it',
    async () => {
      const grace = await lobby.enter(instance);
      for (const [name, bytes] of [
        ['data.bin', Buffer.from([0, 1, 2, 3, 255])],
        ['letter.txt', Buffer.from('Dear Ada,\n')],
      ] as const) {
        await instance.post(await instance.store(bytes, name));
        const link = grace.page.getByRole('link', { name: en.attachments.downloadNamed(name) });
        const download = grace.page.context().waitForEvent('download');
        await link.click();
        const saved = await download;
        expect(saved.suggestedFilename()).toBe(name);
        await using folder = await tempFolder();
        const path = join(folder.path, name);
        await saved.saveAs(path);
        expect((await readFile(path)).equals(bytes)).toBe(true);
      }
    },
  );

  browserTest(
    '[WC94] a file that was removed, and one that never existed, are shown as missing',
    async () => {
      const grace = await lobby.enter(instance);
      grace.visit.expectFaults(/status of 404/);
      await instance.post(`${instance.addresses.files}/123456789`);
      await grace.log.getByText(en.attachments.missing).waitFor();
      // The history lists what exists, so that the next visitor need not ask.
      const next = await browser.emptyVisit();
      const alan = await Someone.enter(next, instance, 'Alan');
      await alan.log.getByText(en.attachments.missing).waitFor();
      expect(next.requested.filter((url) => url.includes('123456789'))).toEqual([]);
    },
  );

  browserTest(
    'a file that is too large is refused before it is sent, and the text stays',
    async () => {
      await using small = await WebInstance.start({
        toml: '[effis]\nattachment_file_size = 1000\n',
      });
      const grace = await Someone.enter(await browser.emptyVisit(), small);
      await grace.write('with a large file');
      const buffer = Buffer.alloc(1001);
      await picker(grace).setInputFiles({ name: 'big.bin', mimeType: '', buffer });
      await grace.page.getByRole('alert').getByText('big.bin').waitFor();
      expect(await grace.messageBox.inputValue()).toBe('with a large file');
      expect(await grace.page.getByRole('list', { name: en.composer.files }).count()).toBe(0);
    },
  );
});

browserTest('a long upload shows its progress, and cancelling it restores its text', async () => {
  await using slow = await WebInstance.start();
  const grace = await Someone.enter(await browser.visit(), slow);
  await grace.slowDown(1_500_000);
  const buffer = Buffer.alloc(6_000_000, 'x');
  await picker(grace).setInputFiles({ name: 'long.txt', mimeType: 'text/plain', buffer });
  await grace.say('a long text');
  const progress = grace.page.getByRole('progressbar', {
    name: en.composer.uploading('long.txt'),
  });
  const seen: number[] = [];
  await eventually(async () => {
    const percent = Number(await progress.getAttribute('aria-valuenow'));
    if (percent !== seen.at(-1)) seen.push(percent);
    return seen.filter((value) => value > 0 && value < 100).length >= 3;
  }, true);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  await grace.button(en.composer.cancelUploadLabel).click();
  await progress.waitFor({ state: 'detached' });
  await eventually(() => grace.messageBox.inputValue(), 'a long text');
  await grace.button(en.composer.removeFile('long.txt')).waitFor();
  await grace.button(en.composer.removeFile('long.txt')).click();
  await grace.messageBox.press('Enter');
  await grace.reads('a long text');
  await eventually(() => slow.contents(5), ['a long text']);
});
