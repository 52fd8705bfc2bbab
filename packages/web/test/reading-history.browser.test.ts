import { describe, expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { readThrough } from '@hearth/testing/clients/history-client';
import { removeAsOwner } from '@hearth/testing/instances/remove-as-owner';
import { en } from '../src/text/en.ts';
import { goTo } from './support/go-to.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { layoutFaults } from './support/layout.ts';
import { makePicture } from './support/picture.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const words = en.reading;

const browser = useBrowser();

const articleOf = (someone: Someone, text: string) =>
  someone.log.getByRole('article').filter({ hasText: text }).last();

const menuOf = ({ page }: Someone) => page.getByRole('menu', { name: words.actions });

/** Returns what the page and a machine have to say against the page as it is. */
async function faultsOf({ page }: Someone): Promise<readonly string[]> {
  return [...(await violationsInBothThemes(page)), ...(await layoutFaults(page))];
}

describe('a part of the history', () => {
  browserTest('[WC44] is read on to the newest messages, and left by a button', async () => {
    await using own = await WebInstance.start();
    for (let count = 0; count < 420; count += 1) await own.post(`message ${count}.`);
    const [oldest] = await readThrough(own, 'oldest');
    const grace = await Someone.enter(await browser.emptyVisit(), {
      url: new URL(`lobby/${oldest?.id}`, own.url).href,
    });
    await grace.log.locator('[data-sought]').getByText('message 0.').waitFor();
    expect(await grace.message('message 400.').count()).toBe(0);
    expect(await faultsOf(grace)).toEqual([]);
    await grace.button(en.conversation.jumpToNewest).click();
    await grace.reads('message 419.');
    const path = () => new URL(grace.page.url()).pathname;
    await eventually(async () => path(), '/lobby');
    const settings = await grace.openSettings();
    await settings.waitFor();
    await grace.page.keyboard.press('Escape');
    await eventually(async () => path(), '/lobby');
    await grace.reads('message 419.');
    await goTo(grace.page, `lobby/${oldest?.id}`);
    await grace.log.locator('[data-sought]').getByText('message 0.').waitFor();
    await grace.log.hover();
    const seen: number[] = [];
    await eventually(async () => {
      const numbers = (await grace.shown(/message \d+/)).map((text) => Number(text.slice(8)));
      seen.push(numbers[0] ?? -1);
      await grace.page.mouse.wheel(0, 1500);
      return numbers.at(-1) ?? -1;
    }, 419);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    await own.post('and live');
    await grace.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
    await grace.reads('and live');
  });
});

browserTest(
  '[WC17] [WC29] [WC40] a part of the history follows removals, also in what was made of it',
  async () => {
    await using own = await WebInstance.start();
    for (const name of ['one.png', 'two.png']) {
      await own.post(await own.store(makePicture(name.length, 120, 90), name));
    }
    await own.post('a question');
    for (let count = 0; count < 300; count += 1) await own.post(`filler ${count}`);
    await own.post(await own.store(makePicture(3, 120, 90), 'newest.png'));
    const [, second, question] = await readThrough(own, 'oldest');
    const grace = await Someone.enter(await browser.emptyVisit(), {
      url: new URL(`lobby/${question?.id}`, own.url).href,
    });
    await grace.log.locator('[data-sought]').getByText('a question').waitFor();
    await articleOf(grace, 'a question').click({ button: 'right' });
    await menuOf(grace).getByRole('menuitem', { name: words.reply }).click();
    const replying = grace.page.getByText(words.replyingTo('Ada'));
    await replying.waitFor();
    await grace.button(en.attachments.open('one.png')).click();
    const large = (name: string) =>
      grace.page.getByRole('dialog', { name: en.attachments.large(name) });
    await large('one.png').waitFor();
    await grace.page.keyboard.press('ArrowRight');
    await large('two.png').waitFor();
    await grace.page.keyboard.press('ArrowRight');
    await grace.page.keyboard.press('ArrowLeft');
    await large('one.png').waitFor();
    await grace.page.keyboard.press('ArrowRight');
    await large('two.png').waitFor();
    await removeAsOwner(own, second?.id);
    await large('two.png').waitFor({ state: 'detached' });
    await removeAsOwner(own, question?.id);
    await replying.waitFor({ state: 'detached' });
  },
);
