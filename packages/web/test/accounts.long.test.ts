import { afterAll, beforeAll, expect } from 'bun:test';
import { text as readText } from 'node:stream/consumers';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { mailServer, type MailServer } from '@hearth/testing/servers/mail-server';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { totpCode } from '../../server/src/features/accounts/second-factor/totp.ts';
import { en } from '../src/text/en.ts';
import { enAccount } from '../src/text/en/account.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { goTo } from './support/go-to.ts';
import {
  accountButton,
  chooseInMenu,
  codeFor,
  control,
  hasFocus,
  keptOpenly,
  PASSWORD,
  registerElsewhere,
  signInAs,
  submit,
  untilReloaded,
} from './support/members.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { signIn, register, field, menu } = enAccount;
const { account: words, factor, totp, recovery, reset, verify, forgotten } = enAccount;

const browser = useBrowser();
let instance: WebInstance;
let mail: MailServer;

beforeAll(async () => {
  mail = await mailServer();
  instance = await WebInstance.start({
    toml: `registration = "open"\n${GENEROUS_LIMITS}`,
    env: { SMTP_URL: mail.url, MAIL_FROM: 'street@lantern.example' },
  });
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

/** Loads a page of an account. */
async function open({ page }: Someone, path: string): Promise<void> {
  await page.goto(new URL(path, instance.url).href);
}

browserTest(
  '[WC108][WC109] the password, the address and the second factor can be changed',
  async () => {
    const grace = new Someone(await browser.emptyVisit());
    const { page, visit } = grace;
    visit.expectFaults(/status of (401|422)/);
    const found: Faults = {};
    await registerElsewhere(instance, 'noether');
    await open(grace, 'settings/account');
    await signInAs(grace, 'noether');
    const change = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const save = () => page.locator('dialog form [type=submit]').click();
    await change(words.changePassword);
    await control(page, words.currentPassword).fill('not it');
    await control(page, words.newPassword).fill('bread for twelve people');
    await save();
    await page.getByText(field.passwordWrong).waitFor();
    expect(await control(page, words.newPassword).inputValue()).toBe('bread for twelve people');
    await control(page, words.currentPassword).fill(PASSWORD);
    await save();
    await page.getByText(words.passwordChanged).waitFor();
    const toggle = page.getByRole('button', { name: words.changePassword, exact: true });
    await eventually(() => hasFocus(toggle), true);
    await change(words.changeEmail);
    await control(page, words.newEmail).fill('emmy@lantern.example');
    await control(page, words.currentPassword).fill('bread for twelve people');
    await save();
    await page.getByText(words.pendingEmail('emmy@lantern.example')).waitFor();
    const emailCode = await codeFor(mail, 'emmy@lantern.example', 'confirm your address');
    await page.getByRole('link', { name: words.enterCode }).click();
    await control(page, reset.code).fill(emailCode);
    await submit(grace);
    await page.getByText(verify.doneText('emmy@lantern.example')).waitFor();
    await goTo(page, 'settings/account');
    await page.getByText(words.verified, { exact: true }).waitFor();
    await change(words.setUpFactor);
    await control(page, words.currentPassword).fill('bread for twelve people');
    await save();
    await page.getByRole('img', { name: totp.qr }).waitFor();
    await lookAt(page, 'QR code', found);
    const secret = await page.locator('.secret code').innerText();
    const now = () => totpCode(secret.replaceAll(' ', ''), Date.now());
    await control(page, totp.code).fill('000000');
    await save();
    await page.getByText(field.codeWrong).waitFor();
    await control(page, totp.code).fill(now());
    await save();
    await page.getByRole('heading', { name: recovery.title }).waitFor();
    await lookAt(page, 'recovery codes', found);
    const codes = await page.locator('.recovery-codes code').allInnerTexts();
    expect(new Set(codes).size).toBe(10);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: recovery.download }).click();
    const [first = '', second = ''] = codes;
    // The browser may run elsewhere, where the test cannot read its files.
    expect(await readText(await (await download).createReadStream())).toContain(first);
    await change(recovery.done);
    await page.getByText(words.factorOn).waitFor();
    await page.keyboard.press('Escape');
    await untilReloaded(page, () => chooseInMenu(grace, menu.signOut));
    await goTo(page, 'sign-in');
    await control(page, signIn.identity).fill('noether');
    await control(page, signIn.password).fill('bread for twelve people');
    await submit(grace);
    await control(page, factor.code).fill('123');
    await submit(grace);
    await page.getByText(factor.wrong).waitFor();
    await page.getByRole('button', { name: factor.useRecovery }).click();
    await control(page, factor.recovery).fill(first);
    await submit(grace);
    await accountButton(page).waitFor();
    await goTo(page, 'settings/account');
    await change(words.removeFactor);
    await control(page, words.currentPassword).fill('bread for twelve people');
    await control(page, totp.removeCode).fill(second);
    await save();
    await page.getByText(words.factorOff).waitFor();
    expect(found).toEqual({});
  },
);

browserTest(
  '[WC102][WC102c][WC114] an instance may ask for an answer and for work, and may have no mail',
  async () => {
    await using other = await WebInstance.start({
      toml: `registration = "approval"\nregistration_question = "Which house?"\nregistration_proof = "on"\n${GENEROUS_LIMITS}`,
    });
    const grace = new Someone(await browser.emptyVisit());
    const { page, visit } = grace;
    visit.expectFaults(/status of 403|capabilities/);
    const found: Faults = {};
    await page.goto(new URL('register', other.url).href);
    await page.getByText(register.emailHintNoMail).waitFor();
    await control(page, register.username).fill('grace');
    await control(page, register.email).fill('grace@lantern.example');
    await control(page, register.password).fill(PASSWORD);
    await submit(grace);
    await page.getByText(field.missing).waitFor();
    await lookAt(page, 'question', found);
    await control(page, 'Which house?').fill('The one with the lanterns');
    await submit(grace);
    await page.getByText(register.pendingText('grace')).waitFor();
    await page.getByText(register.pendingNoMail).waitFor();
    await lookAt(page, 'pending', found);
    await goTo(page, 'sign-in');
    await control(page, signIn.identity).fill('grace');
    await control(page, signIn.password).fill(PASSWORD);
    await submit(grace);
    await page.getByRole('alert').getByText(signIn.pending).waitFor();
    const known = Promise.withResolvers<void>();
    await page.route('**/capabilities', async (route) => {
      await known.promise;
      await route.continue();
    });
    await page.goto(new URL('forgotten-password', other.url).href);
    await page.getByRole('status').getByText(en.shell.asked.loading).waitFor();
    expect(await control(page, register.email).count()).toBe(0);
    known.resolve();
    await page.getByText(forgotten.noMailTitle).waitFor();
    // Nobody knows whether there is mail if the instance cannot be asked.
    await page.unroute('**/capabilities');
    await page.route('**/capabilities', (route) => route.abort());
    await page.reload();
    await control(page, register.email).waitFor();
    await page.unroute('**/capabilities');
    expect(found).toEqual({});
  },
);

/** Exports the reader's data from the settings of the account, by keys, and returns the archive. */
async function exportData({ page }: Someone, found: Faults): Promise<string> {
  const { export: copy } = enAccount;
  const start = page.getByRole('button', { name: copy.start });
  await start.press('Enter');
  const link = page.getByRole('link', { name: /^Download/ });
  await link.waitFor();
  const again = page.getByRole('button', { name: copy.again });
  expect(await again.evaluate((button) => button === document.activeElement)).toBe(true);
  const [sentence = ''] = copy.ready('|').split('|');
  await page.getByRole('status').getByText(sentence).waitFor();
  const download = page.waitForEvent('download');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const archive = await readText(await (await download).createReadStream());
  await again.click();
  const [refusal = ''] = copy.wait('|').split('|');
  await page.getByRole('alert').getByText(refusal).waitFor();
  await lookAt(page, 'export', found);
  await page.reload();
  await link.waitFor();
  return archive;
}

browserTest(
  '[WC111][WC119] people take their data along before they delete an account',
  async () => {
    const grace = new Someone(await browser.emptyVisit());
    const { page, visit } = grace;
    visit.expectFaults(/status of (401|422|429)/);
    const found: Faults = {};
    const { leave } = enAccount;
    await registerElsewhere(instance, 'hypatia');
    await open(grace, 'settings/account');
    await signInAs(grace, 'hypatia');
    await goTo(page, 'lobby');
    await grace.waitUntilOnline();
    await grace.say('what I leave');
    await eventually(async () => (await instance.contents(1))[0], 'what I leave');
    await goTo(page, 'settings/account');
    expect(await exportData(grace, found)).toContain('what I leave');
    await page.getByRole('button', { name: words.leave }).click();
    await page.getByText(leave.name('hypatia')).waitFor();
    const confirm = page.getByRole('button', { name: leave.confirm });
    await confirm.click();
    await page.getByText(field.missing).first().waitFor();
    await lookAt(page, 'delete', found);
    await page.getByRole('radio', { name: leave.keep }).check();
    await control(page, words.currentPassword).fill('not it');
    await confirm.click();
    await page.getByText(field.passwordWrong).waitFor();
    await control(page, words.currentPassword).fill(PASSWORD);
    await untilReloaded(page, () => confirm.click());
    await page.getByRole('link', { name: en.shell.header.signIn }).waitFor();
    expect(await keptOpenly(grace)).not.toContain('hypatia');
    expect(await instance.contents(1)).toEqual(['what I leave']);
    expect(found).toEqual({});
  },
);
