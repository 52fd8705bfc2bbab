import { afterAll, beforeAll, expect } from 'bun:test';
import { text as readText } from 'node:stream/consumers';
import type { Locator } from 'playwright-core';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { mailServer, type MailServer } from '@hearth/testing/servers/mail-server';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { ownUserSchema } from '@hearth/protocol/schemas';
import { totpCode } from '../../server/src/features/second-factor/totp.ts';
import { en } from '../src/text/en.ts';
import { enAccount } from '../src/text/en/account.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { goTo } from './support/go-to.ts';
import {
  accountButton,
  control,
  enterLobby,
  PASSWORD,
  registerElsewhere,
  signInAs,
  submit,
  untilReloaded,
} from './support/members.ts';
import { makePicture } from './support/picture.ts';
import { eventually, inAnyWords, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { signIn, register, field, settings, sessions, profile, menu } = enAccount;
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

const urlOf = (path: string) => new URL(path, instance.url).href;

/** Loads a page of an account. */
async function open({ page }: Someone, path: string): Promise<void> {
  await page.goto(urlOf(path));
}

async function choose({ page }: Someone, label: string | RegExp): Promise<void> {
  await accountButton(page).click();
  await page.getByRole('menuitem', { name: label }).click();
}

/** Everything that the page keeps where other scripts could read it at once. */
const keptOpenly = ({ page }: Someone) =>
  page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
  );

const hasFocus = (element: Locator) => element.evaluate((it) => it === document.activeElement);

browserTest(
  '[WC100][WC101][WC102][WC103] a visitor registers, and is known by the account from then on',
  async () => {
    const grace = await Someone.arrive(await browser.emptyVisit(), instance);
    grace.visit.expectFaults(/status of (409|422)/);
    const { page } = grace;
    const found: Faults = {};
    await page.getByRole('link', { name: en.shell.header.signIn }).waitFor();
    await grace.comeIn('Visitor');
    await grace.say('as a visitor');
    await grace.reads('as a visitor');
    await page.getByRole('banner').getByRole('link', { name: en.shell.header.signIn }).click();
    await control(page, signIn.identity).waitFor();
    await lookAt(page, 'sign in', found);
    await page.getByRole('link', { name: signIn.register }).click();
    await eventually(() => hasFocus(control(page, register.username)), true);
    await control(page, register.username).fill('-grace');
    await control(page, register.password).fill('short');
    await submit(grace);
    await page.getByText(field.usernameCharacters).waitFor();
    await lookAt(page, 'register, with mistakes', found);
    // The first mistake gets the focus, each is described, and nothing that was typed is lost.
    const username = control(page, register.username);
    await eventually(() => hasFocus(username), true);
    const described = (await username.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${described}"]`).innerText()).toBe(field.usernameCharacters);
    expect(await username.inputValue()).toBe('-grace');
    expect(await control(page, register.password).inputValue()).toBe('short');
    await registerElsewhere(instance, 'ada');
    await username.fill('ADA');
    await control(page, register.email).fill('grace@lantern.example');
    await control(page, register.password).fill(PASSWORD);
    await submit(grace);
    await page.getByText(field.usernameTaken).waitFor();
    expect(await control(page, register.password).inputValue()).toBe(PASSWORD);
    await username.fill('Grace');
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/users'),
    );
    await submit(grace);
    expect((await sent).postDataJSON()).toMatchObject({ username: 'grace', language: 'en' });
    await accountButton(page).getByText('grace', { exact: true }).waitFor();
    expect(await keptOpenly(grace)).not.toMatch(/eyJ|soup/);
    await enterLobby(page);
    await grace.waitUntilOnline();
    await grace.say('as myself');
    await grace.reads('as myself');
    const own = grace.log.getByRole('article').filter({ hasText: 'as myself' });
    expect(await own.getAttribute('aria-label')).toContain('grace');
    await page.reload();
    await accountButton(page).waitFor();
    expect(found).toEqual({});
  },
);

browserTest('[WC115] fields say what browsers and password managers may fill in', async () => {
  const grace = new Someone(await browser.emptyVisit());
  const { page } = grace;
  const purposes = async () =>
    page
      .locator('main input')
      .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('autocomplete')));
  await open(grace, 'sign-in');
  await control(page, signIn.identity).waitFor();
  expect(await purposes()).toEqual(['username', 'current-password']);
  await goTo(page, 'register');
  await control(page, register.username).waitFor();
  expect(await purposes()).toEqual(['username', 'email', 'new-password']);
});

browserTest(
  '[WC101][WC104][WC110] a wrong password costs nothing, sessions can be ended, and accounts be switched',
  async () => {
    const grace = new Someone(await browser.emptyVisit());
    const { page, visit } = grace;
    visit.expectFaults(/status of 401/);
    const found: Faults = {};
    const elsewhere = await registerElsewhere(instance, 'hopper');
    await registerElsewhere(instance, 'turing');
    await open(grace, 'sign-in');
    await control(page, signIn.identity).fill('hopper');
    await control(page, signIn.password).fill('a wrong one');
    await submit(grace);
    await page.getByRole('alert').getByText(signIn.wrong).waitFor();
    expect(await control(page, signIn.identity).inputValue()).toBe('hopper');
    await signInAs(grace, 'Hopper@lantern.example');
    await choose(grace, menu.settings);
    await page.getByRole('link', { name: settings.pages.sessions }).click();
    const rows = page.locator('.session');
    await eventually(() => rows.count(), 2);
    expect(await rows.first().innerText()).toContain(sessions.current);
    await lookAt(page, 'sessions', found);
    await rows.last().getByRole('button').click();
    await eventually(() => hasFocus(page.getByText(sessions.ended)), true);
    await eventually(() => rows.count(), 1);
    await expect(elsewhere.me()).rejects.toMatchObject({ code: 'token_ended' });
    await page.keyboard.press('Escape');
    await choose(grace, menu.add);
    await signInAs(grace, 'turing');
    await accountButton(page).getByText('turing', { exact: true }).waitFor();
    await accountButton(page).click();
    await page.getByRole('menu').waitFor();
    found['menu'] = await violationsInBothThemes(page);
    await page.getByRole('menuitem', { name: menu.switchTo('hopper') }).click();
    await accountButton(page).getByText('hopper', { exact: true }).waitFor();
    await untilReloaded(page, () => choose(grace, menu.signOut));
    await page.getByRole('link', { name: en.shell.header.signIn }).waitFor();
    expect(await keptOpenly(grace)).not.toContain('hopper');
    expect(found).toEqual({ menu: [] });
  },
);

browserTest(
  '[WC102][WC106][WC107][WC108][WC112] the profile is what others see, and an ended session is noticed',
  async () => {
    const grace = new Someone(await browser.emptyVisit());
    const { page, visit } = grace;
    visit.expectFaults(/status of (401|404)/);
    const found: Faults = {};
    const elsewhere = await registerElsewhere(instance, 'lovelace');
    await open(grace, 'settings/profile');
    await page.getByText(signIn.first).waitFor();
    await signInAs(grace, 'lovelace');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: profile.choosePicture }).click();
    const buffer = makePicture(3, 300, 200);
    await (await chooser).setFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    const crop = page.getByRole('dialog', { name: profile.cropTitle });
    await crop.getByRole('img', { name: profile.cropLabel }).press('+');
    expect(await crop.getByLabel(profile.zoom).inputValue()).toBe('1.1');
    await lookAt(page, 'crop', found);
    await crop.getByRole('button', { name: profile.cropSave }).click();
    await accountButton(page).locator('img').waitFor();
    await control(page, profile.displayName).fill('Ada, Countess');
    await control(page, profile.bio).fill('Notes on the engine.');
    await page.getByRole('complementary').getByText('Ada, Countess').waitFor();
    await lookAt(page, 'profile', found);
    // What is changed on another device meanwhile stays.
    await elsewhere.updateMe({ pronouns: 'she/her' });
    await page.getByRole('button', { name: settings.save }).click();
    await page.getByText(settings.saved, { exact: true }).waitFor();
    expect((await elsewhere.me()).pronouns).toBe('she/her');
    await page.keyboard.press('Escape');
    await accountButton(page).getByText('Ada, Countess').waitFor();
    await choose(grace, menu.profile);
    const card = page.getByRole('dialog', { name: enAccount.user.title });
    await card.getByText('Notes on the engine.').waitFor();
    await lookAt(page, 'card', found);
    await goTo(page, 'u/nobody.at.all');
    await page.getByText(enAccount.user.missingTitle).waitFor();
    const kept = async () => (await elsewhere.me()).settings;
    for (const section of ['account', 'appearance', 'notifications'] as const) {
      await goTo(page, `settings/${section}`);
      await page.getByRole('heading', { name: settings.pages[section], exact: true }).waitFor();
      if (section === 'account') {
        await lookAt(page, section, found);
        await page.getByRole('checkbox', { name: words.signInMail }).uncheck();
        await eventually(kept, { sign_in_mail: false });
      }
      if (section === 'appearance') {
        const { languages } = en.shell.settings;
        await page.getByRole('radio', { name: languages.de, exact: true }).check();
        await eventually(kept, { sign_in_mail: false, language: 'de' });
        await page.getByRole('radio', { name: languages.en, exact: true }).check();
        await eventually(kept, { sign_in_mail: false, language: 'en' });
      }
    }
    await page.route('**/users/me', async (route) => {
      const response = await route.fetch();
      const { email: _none, ...json } = ownUserSchema.parse(await response.json());
      await route.fulfill({ response, json });
    });
    await open(grace, 'settings/account');
    await page.getByText(words.noEmail).waitFor();
    await page.getByRole('button', { name: words.addEmail }).waitFor();
    expect(await page.getByText(words.unverified, { exact: true }).count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    await elsewhere.sessions.endOthers();
    await page.reload();
    await page.getByRole('alert').getByText(enAccount.ended.text('lovelace')).waitFor();
    await page.keyboard.press('Escape');
    await lookAt(page, 'ended', found);
    await page.getByRole('link', { name: enAccount.ended.signIn }).click();
    expect(await control(page, signIn.identity).inputValue()).toBe('lovelace');
    await page.getByText(signIn.again).waitFor();
    await signInAs(grace, 'lovelace');
    expect(found).toEqual({});
    await grace.button(inAnyWords(en.shell.header.account)).waitFor();
  },
);

/** The code in the newest mail to somebody about something. */
async function codeFor(address: string, subject: string): Promise<string> {
  const codes = () =>
    mail.received
      .filter(({ to, text }) => to.includes(address) && text.includes(subject))
      .flatMap(({ text }) => text.match(/^ +[a-z\d]{4}(-[a-z\d]{4}){3}/gm) ?? []);
  await eventually(async () => codes().length > 0, true);
  return (codes().at(-1) ?? '').trim();
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
    const emailCode = await codeFor('emmy@lantern.example', 'confirm your address');
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
    await untilReloaded(page, () => choose(grace, menu.signOut));
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

browserTest('[WC114] a forgotten password is replaced by a link, which works once', async () => {
  const grace = new Someone(await browser.emptyVisit());
  const { page, visit } = grace;
  visit.expectFaults(/status of (401|404|422)/);
  await registerElsewhere(instance, 'franklin');
  await open(grace, 'sign-in');
  await control(page, signIn.identity).fill('franklin@lantern.example');
  await page.getByRole('link', { name: signIn.forgotten }).click();
  expect(await control(page, register.email).inputValue()).toBe('franklin@lantern.example');
  await submit(grace);
  await page.getByText(forgotten.sentTitle).waitFor();
  const code = await codeFor('franklin@lantern.example', 'choose a new password');
  const link = urlOf(`reset-password#${code}`);
  await page.goto(link);
  await control(page, reset.password).fill('short');
  await submit(grace);
  await page.getByText(field.passwordShort).waitFor();
  await control(page, reset.password).fill(PASSWORD.toUpperCase());
  await submit(grace);
  await page.getByText(reset.doneTitle).waitFor();
  await page.getByRole('link', { name: signIn.submit }).click();
  await control(page, signIn.identity).fill('franklin');
  await control(page, signIn.password).fill(PASSWORD.toUpperCase());
  await submit(grace);
  await accountButton(page).waitFor();
  await page.goto(link);
  await control(page, reset.password).fill(PASSWORD);
  await submit(grace);
  await page.getByText(reset.expired).waitFor();
});

browserTest(
  '[WC102][WC114] an instance may ask for an answer and for work, and may have no mail',
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
