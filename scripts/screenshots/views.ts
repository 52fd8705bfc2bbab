import { en } from '../../packages/web/src/text/en.ts';
import { enSearch } from '../../packages/web/src/text/en/search.ts';
import { de } from '../../packages/web/src/text/de.ts';
import type { Someone } from '../../packages/web/test/support/someone.ts';
import { take } from './camera.ts';

const PHONE = { width: 390, height: 780 };
const DESKTOP = { width: 1280, height: 800 };

/** The pictures of what opens over the conversation. */
export async function takeViews(grace: Someone): Promise<void> {
  await takeMenu(grace);
  await takeEmoji(grace);
  await takeLightbox(grace);
  await takeSearch(grace);
  await takeDialogs(grace);
  await takeCompact(grace);
  await takeGerman(grace);
}

async function takeMenu(grace: Someone): Promise<void> {
  const { page } = grace;
  const message = grace.log.getByRole('article').filter({ hasText: 'He will deny it' }).last();
  await message.click({ button: 'right', position: { x: 330, y: 40 } });
  await page.getByRole('menu').waitFor();
  await take(page, 'message-menu');
  await page.getByRole('menuitem', { name: en.reading.reply }).click();
  await page.getByText(en.reading.replyingTo('Priya')).waitFor();
  await grace.write('I saw him eat it in March.');
}

async function takeEmoji(grace: Someone): Promise<void> {
  const { page } = grace;
  await grace.button(en.composer.emoji).click();
  await page.locator('.emoji-picker [role=option], .emoji-picker button').nth(20).waitFor();
  await take(page, 'emoji-picker');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await grace.write('');
}

async function takeLightbox(grace: Someone): Promise<void> {
  const { page } = grace;
  await grace.log.locator('.picture').last().scrollIntoViewIfNeeded();
  await grace.log.locator('.picture').last().click();
  await page.locator('.lightbox .picture-front').waitFor();
  await take(page, 'lightbox');
  await page.keyboard.press('Escape');
  await page.locator('.lightbox').waitFor({ state: 'detached' });
}

async function takeSearch(grace: Someone): Promise<void> {
  const { page } = grace;
  await grace.button(en.reading.openSearch).click();
  const panel = page.getByRole('dialog', { name: enSearch.title });
  await panel.getByRole('searchbox').fill('the');
  await panel.locator('mark').first().waitFor();
  await take(page, 'search');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(PHONE);
  await take(page, 'phone-search');
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
  await panel.getByRole('button', { name: en.shell.dialog.close }).click();
  await panel.waitFor({ state: 'detached' });
}

async function takeDialogs(grace: Someone): Promise<void> {
  const { page } = grace;
  await grace.openSettings();
  await take(page, 'settings');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(PHONE);
  await take(page, 'phone-settings');
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.keyboard.press('Escape');
  await page.locator('.header-instance').click();
  await page.getByRole('dialog').locator('.facts').last().waitFor();
  await take(page, 'about');
  await page.keyboard.press('Escape');
  await grace.log.focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: en.reading.shortcuts }).waitFor();
  await take(page, 'shortcuts');
  await page.keyboard.press('Escape');
}

async function takeCompact(grace: Someone): Promise<void> {
  const { page } = grace;
  await choose(grace, 'density', 'compact');
  await take(page, 'compact');
  await choose(grace, 'density', 'cosy');
}

async function takeGerman(grace: Someone): Promise<void> {
  const { page } = grace;
  await choose(grace, 'language', 'de');
  await grace.button(de.reading.openSearch).waitFor();
  await take(page, 'german');
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('.header-you').click();
  await page.getByRole('dialog').waitFor();
  await take(page, 'phone-german');
  await page.keyboard.press('Escape');
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
  await choose(grace, 'language', 'en');
}

/** Changes a setting as its dialog does, and starts the page again. */
async function choose({ page, log }: Someone, key: string, value: string): Promise<void> {
  // The page stores its settings when they change, and not when it is left.
  await page.evaluate(
    ([name, text]) => localStorage.setItem(`hearth.${name}`, text ?? ''),
    [key, value],
  );
  // A page that is going back interrupts it once.
  await page.reload().catch(() => page.reload());
  await log.locator('.message').last().waitFor();
  await log.locator('.picture-front').first().waitFor();
  await log.evaluate((element) => element.scrollTo(0, element.scrollHeight));
}
