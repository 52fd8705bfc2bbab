import type { FakeClock } from '@hearth/testing/fake-clock';
import { totpCode } from '../../packages/server/src/features/accounts/second-factor/totp.ts';
import { deAccount } from '../../packages/web/src/text/de/account.ts';
import { en } from '../../packages/web/src/text/en.ts';
import { enAccount } from '../../packages/web/src/text/en/account.ts';
import {
  accountButton,
  control,
  PASSWORD,
  submit,
} from '../../packages/web/test/support/members.ts';
import type { Someone } from '../../packages/web/test/support/someone.ts';
import type { WebInstance } from '../../packages/web/test/support/web-instance.ts';
import { take } from './camera.ts';

const PHONE = { width: 390, height: 780 };
const DESKTOP = { width: 1280, height: 800 };

/** An instance, and the tools of the pictures of its accounts. */
interface Street {
  readonly grace: Someone;
  readonly instance: WebInstance;
  readonly clock: FakeClock;
  /** A picture of Grace. */
  readonly portrait: Uint8Array;
}

/** The pictures of what people with an account see. Grace begins as a visitor. */
export async function takeAccounts(street: Street): Promise<void> {
  const { grace } = street;
  grace.visit.expectFaults(/status of (401|404|422)/);
  await register(street);
  await takeProfile(street);
  await takeSecurity(street);
  await takeMessages(street);
  await open(street, 'lobby');
}

async function open({ grace, instance }: Street, path: string): Promise<void> {
  await grace.page.goto(new URL(path, instance.url).href);
}

/** Takes the same view on a phone, in the dark. */
async function takeOnPhone({ page }: Someone, name: string): Promise<void> {
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await take(page, `phone-${name}`);
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function register(street: Street): Promise<void> {
  const { grace } = street;
  const { page } = grace;
  const { signIn, register: words, field } = enAccount;
  await open(street, 'sign-in');
  await control(page, signIn.identity).fill('grace');
  await control(page, signIn.password).fill('the other one');
  await submit(grace);
  await page.getByText(signIn.wrong).waitFor();
  await take(page, 'sign-in');
  await takeOnPhone(grace, 'sign-in');
  await page.getByRole('link', { name: signIn.register }).click();
  await control(page, words.email).fill('grace@lantern');
  await control(page, words.password).fill('soup');
  await submit(grace);
  await page.getByText(field.passwordShort).waitFor();
  await take(page, 'register');
  await control(page, words.email).fill('grace@lantern.example');
  await control(page, words.password).fill(PASSWORD);
  await submit(grace);
  await accountButton(page).waitFor();
  await grace.waitUntilOnline();
}

async function takeProfile(street: Street): Promise<void> {
  const { grace, portrait } = street;
  const { page } = grace;
  const { profile, settings, menu } = enAccount;
  await open(street, 'settings/profile');
  await control(page, profile.displayName).fill('Grace');
  await control(page, profile.pronouns).fill('she/her');
  await control(page, profile.bio).fill('Soup, mostly. Ask me about the long table.');
  await page.getByRole('button', { name: settings.save, exact: true }).click();
  await page.getByText(settings.saved, { exact: true }).waitFor();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: profile.choosePicture }).click();
  await (
    await chooser
  ).setFiles({
    name: 'grace.png',
    mimeType: 'image/png',
    buffer: Buffer.from(portrait),
  });
  const crop = page.getByRole('dialog', { name: profile.cropTitle });
  await crop.getByRole('img').waitFor();
  await take(page, 'crop');
  await crop.getByRole('button', { name: profile.cropSave }).click();
  await accountButton(page).locator('img').waitFor();
  await page.locator('.settings-title').focus();
  await take(page, 'profile');
  await takeOnPhone(grace, 'profile');
  await page.keyboard.press('Escape');
  await accountButton(page).click();
  await page.getByRole('menu').waitFor();
  await take(page, 'account-menu');
  await page.getByRole('menuitem', { name: menu.profile }).click();
  await page.getByRole('dialog', { name: enAccount.user.title }).locator('.profile-bio').waitFor();
  await take(page, 'profile-card');
  await page.keyboard.press('Escape');
}

async function takeSecurity(street: Street): Promise<void> {
  const { grace, instance, clock } = street;
  const { page } = grace;
  const { account: words, export: copy, totp, recovery, leave } = enAccount;
  for (const client of [
    { name: 'Firefox', platform: 'Android' },
    { name: 'hearth', platform: 'Linux' },
  ]) {
    await fetch(new URL('api/auth', instance.url), {
      method: 'POST',
      body: JSON.stringify({ username: 'grace', password: PASSWORD, client }),
    });
  }
  await open(street, 'settings/sessions');
  await page.locator('.session').nth(2).waitFor();
  await take(page, 'sessions');
  await takeOnPhone(grace, 'sessions');
  await open(street, 'settings/account');
  await page.getByRole('button', { name: words.changePassword }).waitFor();
  await take(page, 'account');
  await page.getByRole('button', { name: copy.start }).click();
  await page.locator('.export .button-primary').waitFor();
  await take(page, 'export');
  await page.getByRole('button', { name: words.setUpFactor, exact: true }).click();
  await control(page, words.currentPassword).fill(PASSWORD);
  await page.getByRole('button', { name: totp.next }).click();
  await page.getByRole('img', { name: totp.qr }).waitFor();
  await take(page, 'second-factor');
  const secret = await page.locator('.secret code').innerText();
  await control(page, totp.code).fill(totpCode(secret.replaceAll(' ', ''), clock.unixMs()));
  await page.getByRole('button', { name: totp.confirm }).click();
  await page.getByRole('heading', { name: recovery.title }).waitFor();
  await take(page, 'recovery-codes');
  await page.getByRole('button', { name: recovery.done }).click();
  await page.getByRole('button', { name: words.leave }).click();
  await page.getByRole('radio', { name: leave.keep }).check();
  await page.locator('.leave-final').scrollIntoViewIfNeeded();
  await take(page, 'delete-account');
  await page.keyboard.press('Escape');
}

async function takeMessages(street: Street): Promise<void> {
  const { grace } = street;
  const { page } = grace;
  const { reading } = en;
  // Who has an account begins at home.
  await open(street, 'lobby');
  await grace.waitUntilOnline();
  await grace.say('Celery is out, leeks are in. Twelve bowls, and Doughlores gets none.');
  const own = grace.log.getByRole('article').filter({ hasText: 'Celery is out' }).last();
  for (const emoji of ['heart', 'stew']) {
    await own.click({ button: 'right', position: { x: 200, y: 12 } });
    await page.getByRole('menuitem', { name: reading.react, exact: true }).click();
    await control(page, en.composer.emojiSearch).fill(emoji);
    await page.locator('.reaction-picker .emoji').first().click();
    await page.locator('.reaction-picker').waitFor({ state: 'detached' });
  }
  await own.locator('.reaction').nth(2).waitFor();
  await page.mouse.move(0, 0);
  await take(page, 'reactions');
  await own.click({ button: 'right', position: { x: 200, y: 12 } });
  await page.getByRole('menuitem', { name: reading.remove, exact: true }).waitFor();
  await take(page, 'own-message-menu');
  await page.getByRole('menuitem', { name: reading.edit, exact: true }).click();
  await page.getByRole('textbox', { name: enAccount.edit.label }).waitFor();
  await take(page, 'edit-message');
  await page.keyboard.press('Escape');
  await own.click({ button: 'right', position: { x: 200, y: 12 } });
  await page.getByRole('menuitem', { name: reading.remove, exact: true }).click();
  await page.getByRole('dialog', { name: enAccount.remove.title }).waitFor();
  await take(page, 'delete-message');
  await page.keyboard.press('Escape');
  await takeGerman(street);
}

async function takeGerman(street: Street): Promise<void> {
  const { grace } = street;
  const { page } = grace;
  await page.evaluate(() => localStorage.setItem('hearth.language', 'de'));
  await open(street, 'settings');
  await page.getByRole('dialog', { name: deAccount.settings.title }).waitFor();
  await takeOnPhone(grace, 'german-settings');
  await open(street, 'settings/account');
  await page.getByRole('button', { name: deAccount.account.leave }).waitFor();
  await take(page, 'german-account');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.evaluate(() => localStorage.setItem('hearth.language', 'en'));
}
