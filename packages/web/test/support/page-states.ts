import type { Locator } from 'playwright-core';
import { goTo } from './go-to.ts';
import { layoutFaults } from './layout.ts';
import { makePicture } from './picture.ts';
import { eventually, type Someone } from './someone.ts';

/** Scrolls up by bits until `target` is visible. */
async function scrollUpTo(someone: Someone, target: Locator): Promise<void> {
  await eventually(async () => {
    if ((await target.count()) > 0 && (await target.last().isVisible())) return true;
    await someone.log.evaluate((log) => log.scrollBy(0, -200));
    return false;
  }, true);
  await target.last().scrollIntoViewIfNeeded();
}

/** Goes through the states of the page, and calls `look` with the name of each. */
export async function throughStates(someone: Someone, look: (state: string) => Promise<void>) {
  const { page } = someone;
  await look('welcome');
  await someone.textBoxes.press('Enter');
  await look('welcome, without a name');
  await someone.textBoxes.fill('Grace');
  await someone.textBoxes.press('Enter');
  await someone.reads('the end of the showcase');
  await look('lobby, at its end');
  await scrollUpTo(someone, someone.log.locator('.picture img'));
  await look('lobby, with a picture');
  await scrollUpTo(someone, someone.log.getByText('A heading', { exact: true }));
  await look('lobby, at its beginning');
  await page.locator('.header-instance').click();
  await page.getByRole('dialog').waitFor();
  await look('about the instance');
  await page.keyboard.press('Escape');
  await page.locator('.header-you').click();
  await page.getByRole('dialog').waitFor();
  await look('settings');
  await goTo(page, 'no/such/place');
  await page.locator('.not-found').waitFor();
  await look('an address that leads nowhere');
  await goTo(page, 'lobby/1');
  await page.locator('.missing-notice').waitFor();
  await look('lobby, without the message that the address names');
  await someone.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
  await scrollUpTo(someone, someone.log.locator('.picture img'));
  await page.locator('.picture').last().click();
  await page.locator('.lightbox .picture-front').waitFor();
  await look('a large picture');
  await page.keyboard.press('Escape');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: makePicture(1) });
  await someone.write('x'.repeat(2050));
  await someone.messageBox.press('Enter');
  await page.locator('.picked').waitFor();
  await look('a message that is too long, with a file');
}

/** Goes through the views that open over the lobby, in any language, and calls `look` with the name of each. */
export async function throughViews(someone: Someone, look: (view: string) => Promise<void>) {
  const { page } = someone;
  const close = async (view: Locator) => {
    await page.keyboard.press('Escape');
    await view.waitFor({ state: 'detached' });
  };
  await someone.textBoxes.fill('Grace');
  await someone.textBoxes.press('Enter');
  await someone.reads('the end of the showcase');
  const menu = page.locator('.menu');
  await someone.message('the end of the showcase').last().click({ button: 'right' });
  await menu.waitFor();
  await look('the menu of a message');
  await menu.getByRole('menuitem').first().click();
  await page.locator('.reply-strip').waitFor();
  await look('a reply');
  await page.locator('[data-opens-emoji]').click();
  await page.locator('.emoji').nth(20).waitFor();
  await look('the emoji picker');
  await close(page.locator('.emoji-picker'));
  const dialog = page.getByRole('dialog');
  await page.locator('.header-search').click();
  await dialog.getByRole('searchbox').fill('showcase');
  await dialog.locator('mark').first().waitFor();
  await look('the search');
  const fold = dialog.locator('.search-fold');
  if (await fold.isVisible()) {
    await fold.click();
    await look('the filters of the search');
  }
  await someone.goBack({ from: 1 });
  await dialog.waitFor({ state: 'detached' });
  await someone.log.focus();
  await page.keyboard.press('?');
  await dialog.waitFor();
  await look('the shortcuts');
  await close(dialog);
}

/** The layout faults by state of the page, without the states that have none. */
export async function layoutFaultsOfStates(
  someone: Someone,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  await throughStates(someone, async (state) => {
    const faults = await layoutFaults(someone.page);
    if (faults.length > 0) found[state] = faults;
  });
  return found;
}
