import { afterAll, beforeAll, expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { mailServer, type MailServer } from '@hearth/testing/servers/mail-server';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { ownUserSchema } from '@hearth/protocol/schemas';
import { en } from '../src/text/en.ts';
import { enAccount } from '../src/text/en/account.ts';
import { enConflicts } from '../src/text/en/conflicts.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { goTo } from './support/go-to.ts';
import {
  accountButton,
  chooseInMenu,
  codeFor,
  control,
  enterLobby,
  hasFocus,
  keptOpenly,
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
const { account: words, reset, forgotten } = enAccount;

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

browserTest(
  '[WC100][WC101][WC102][WC102b][WC103] a visitor registers, and is known by the account from then on',
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
    await page.getByText(enConflicts.taken.username).waitFor();
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

browserTest(
  '[WC115] fields say what browsers may fill in, and one that is being mended keeps the focus while others are wrong',
  async () => {
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
    const username = control(page, register.username);
    await username.waitFor();
    expect(await purposes()).toEqual(['username', 'email', 'new-password']);
    await eventually(() => hasFocus(username), true);
    await page.keyboard.press('Enter');
    await page.locator('[aria-invalid="true"]').nth(2).waitFor();
    await eventually(() => hasFocus(username), true);
    await page.keyboard.type('grace');
    expect(await username.inputValue()).toBe('grace');
  },
);

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
    await chooseInMenu(grace, menu.settings);
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
    await chooseInMenu(grace, menu.add);
    await signInAs(grace, 'turing');
    await accountButton(page).getByText('turing', { exact: true }).waitFor();
    await accountButton(page).click();
    await page.getByRole('menu').waitFor();
    found['menu'] = await violationsInBothThemes(page);
    await page.getByRole('menuitem', { name: menu.switchTo('hopper') }).click();
    await accountButton(page).getByText('hopper', { exact: true }).waitFor();
    await untilReloaded(page, () => chooseInMenu(grace, menu.signOut));
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
    await chooseInMenu(grace, menu.profile);
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
  const code = await codeFor(mail, 'franklin@lantern.example', 'choose a new password');
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
