import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { en } from '../src/text/en.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { makePicture } from './support/picture.ts';
import { KeptLobby } from './support/kept-lobby.ts';
import { eventually, inAnyWords, Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { WebInstance } from './support/web-instance.ts';

const UNREACHABLE = [/net::ERR_/, /WebSocket connection to/];
const PNG = 'image/png';

const browser = useBrowser();
const lobby = new KeptLobby(browser);
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start({ hasLines: true });
});

afterAll(() => instance[Symbol.asyncDispose]());

const isInMessageBox = (someone: Someone) =>
  someone.messageBox.evaluate((box) => document.activeElement === box);

describe('a message that was not sent', () => {
  browserTest('can be put back into the message box, before the text written since', async () => {
    await using strict = await WebInstance.start();
    const visit = await browser.emptyVisit();
    visit.expectFaults(/status of 422/, ...UNREACHABLE);
    const grace = await Someone.enter(visit, strict);
    // Its owner has lowered the limit since the page was loaded.
    await grace.seeRestart(strict, { messageLimit: 5 });
    await grace.say('too long');
    await grace.log.getByRole('alert').getByText(inAnyWords(en.shell.errors.notSent)).waitFor();
    await grace.write('and more');
    await grace.button(en.conversation.editUnsent).click();
    expect(await grace.messageBox.inputValue()).toBe('too long\nand more');
    await eventually(() => isInMessageBox(grace), true);
    expect(await grace.button(en.conversation.deleteUnsent).count()).toBe(0);
    await grace.say('short');
    await eventually(() => strict.contents(5), ['short']);
  });
});

describe('the focus', () => {
  browserTest(
    'is in the message box after files were chosen and after one was removed',
    async () => {
      const grace = await lobby.enter(instance);
      await grace.button(en.composer.attach).focus();
      const files = [1, 2].map((seed) => ({
        name: `file ${seed}.png`,
        mimeType: PNG,
        buffer: makePicture(seed),
      }));
      await grace.page.locator('input[type=file]').setInputFiles(files);
      await eventually(() => isInMessageBox(grace), true);
      await grace.button(en.composer.removeFile('file 1.png')).click();
      await eventually(() => isInMessageBox(grace), true);
      await grace.button(en.composer.send).click();
      await grace.log.getByRole('img', { name: en.attachments.picture('file 2.png') }).waitFor();
      await eventually(() => isInMessageBox(grace), true);
    },
  );
});

describe('two tabs of one browser', () => {
  browserTest(
    'both recognise messages from either as their own, and have separate drafts',
    async () => {
      const visit = await browser.emptyVisit();
      const grace = await Someone.enter(visit, instance);
      const beside = await visit.context.newPage();
      await beside.goto(instance.url);
      await beside.getByRole('textbox', { name: en.composer.label }).waitFor();
      await beside
        .getByText(`${en.shell.connection.label}: ${en.shell.connection.online}`)
        .waitFor({
          state: 'attached',
        });
      await grace.say('from the other tab');
      const row = beside.locator('article', { hasText: 'from the other tab' });
      await row.waitFor();
      expect(await row.getAttribute('data-own')).not.toBeNull();
      const box = beside.getByRole('textbox', { name: en.composer.label });
      const stored = () => beside.evaluate(() => Object.values(localStorage).join(' '));
      await grace.write('here');
      await eventually(async () => (await stored()).includes('here'), true);
      await box.fill('there');
      await eventually(async () => (await stored()).includes('there'), true);
      await grace.page.reload();
      await beside.reload();
      await grace.waitUntilOnline();
      expect([await grace.messageBox.inputValue(), await box.inputValue()]).toEqual([
        'here',
        'there',
      ]);
    },
  );
});

browserTest('a page that stays open over midnight does not call yesterday today', async () => {
  await using quiet = await WebInstance.start();
  await quiet.post('said before midnight');
  const visit = await browser.visit();
  const now = new Date();
  await visit.page.clock.install({ time: now });
  const grace = await Someone.enter(visit, quiet);
  await grace.sees(/today|yesterday/i, ['Today']);
  await visit.page.clock.fastForward('24:00:00');
  await grace.sees(/today|yesterday/i, ['Yesterday']);
});

describe('pictures', () => {
  browserTest(
    'of one message stand side by side, and those of the lobby can be browsed while enlarged',
    async () => {
      await using quiet = await WebInstance.start();
      const names = ['one.png', 'two.png', 'three.png'];
      const addresses = await Promise.all(
        names.map((name, index) => quiet.store(makePicture(index + 20, 400, 300), name)),
      );
      await quiet.post(`side by side\n${addresses.slice(0, 2).join('\n')}`);
      await quiet.post(addresses[2] ?? '');
      const grace = await Someone.enter(await browser.emptyVisit(), quiet);
      const tops = await Promise.all(
        names.slice(0, 2).map(async (name) => {
          const picture = grace.log.getByRole('img', { name: en.attachments.picture(name) });
          await picture.waitFor();
          return (await picture.boundingBox())?.y;
        }),
      );
      expect(tops[0]).toBe(tops[1]);
      await grace.log.getByRole('img', { name: en.attachments.picture('three.png') }).waitFor();
      await grace.button(en.attachments.open('two.png')).click();
      const large = (name: string) =>
        grace.page.getByRole('dialog', { name: en.attachments.large(name) });
      await large('two.png').getByRole('img').waitFor();
      await grace.page.keyboard.press('ArrowRight');
      await large('three.png').getByRole('img').waitFor();
      await grace.page.keyboard.press('ArrowRight');
      await large('three.png').getByRole('img').waitFor();
      await grace.button(en.attachments.before).click();
      await grace.button(en.attachments.before).click();
      await large('one.png').getByRole('img').waitFor();
      await grace.page.keyboard.press('Escape');
      await large('one.png').waitFor({ state: 'hidden' });
    },
  );
});

browserTest('a browser without the newest language features can use the page', async () => {
  const visit = await browser.visit();
  // Safari has none of these.
  await visit.context.addInitScript(() => {
    for (const name of ['DisposableStack', 'AsyncDisposableStack', 'SuppressedError'])
      Reflect.deleteProperty(globalThis, name);
  });
  const grace = await Someone.enter(visit, instance);
  await grace.say('from an older browser');
  await grace.reads('from an older browser');
});

describe('the message box', () => {
  browserTest(
    '[WC34][WC360][WC361] completes names and emoji, has a picker, and takes each of them back',
    async () => {
      const grace = await lobby.enter(instance);
      await instance.post('completion: here I am', 'Ada Lovelace');
      await grace.reads('completion: here I am');
      await grace.messageBox.pressSequentially('hi @love');
      await grace.page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
      await grace.messageBox.press('Enter');
      expect(await grace.messageBox.inputValue()).toBe('hi @Ada Lovelace ');
      await grace.messageBox.pressSequentially(':tada:');
      await eventually(() => grace.messageBox.inputValue(), 'hi @Ada Lovelace 🎉');
      await grace.messageBox.pressSequentially(' :thumbs');
      await grace.page.getByRole('option', { name: ':-1:' }).waitFor();
      await grace.messageBox.press('Tab');
      expect(await grace.messageBox.inputValue()).toBe('hi @Ada Lovelace 🎉 👍 ');
      await grace.button(en.composer.emoji).click();
      await grace.page.getByRole('searchbox').fill('rocket');
      await grace.page.getByRole('button', { name: 'rocket' }).waitFor();
      // As Safari reports the Enter that ends a composition.
      await grace.page
        .getByRole('searchbox')
        .dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
      await grace.page.getByRole('searchbox').press('Enter');
      await eventually(() => grace.messageBox.inputValue(), 'hi @Ada Lovelace 🎉 👍 🚀');
      await eventually(() => isInMessageBox(grace), true);
      const undone: string[] = [];
      for (let left = 40; left > 0 && undone.at(-1) !== ''; left -= 1) {
        await grace.messageBox.press('Control+z');
        undone.push(await grace.messageBox.inputValue());
      }
      // What was typed after an insertion may go with it.
      expect(undone).toEqual(
        expect.arrayContaining([
          'hi @Ada Lovelace 🎉 👍 ',
          'hi @Ada Lovelace 🎉 :thumbs',
          'hi @Ada Lovelace :tada:',
          'hi @love',
          '',
        ]),
      );
    },
  );

  browserTest('[WC35] brings back the last text, and takes what is typed anywhere', async () => {
    const grace = await lobby.enter(instance);
    await grace.say('recall: my *own* text');
    await grace.sees(/recall: .*/, ['recall: my own text']);
    await grace.messageBox.press('ArrowUp');
    expect(await grace.messageBox.inputValue()).toBe('recall: my *own* text');
    await grace.messageBox.fill('');
    await grace.messageBox.blur();
    await grace.page.keyboard.press('x');
    expect(await grace.messageBox.inputValue()).toBe('x');
  });
});

browserTest(
  '[WC33][WC33a] a message that mentions the reader stands out, and the name is marked',
  async () => {
    const grace = await lobby.enter(instance);
    await instance.post('mention: hello @grace!');
    const mention = grace.log.locator('mark');
    await mention.getByText('@grace', { exact: true }).waitFor();
    expect(await grace.log.locator('[data-mention]').count()).toBe(1);
  },
);
