import { afterAll, beforeAll, expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { en } from '../src/text/en.ts';
import { enAccount } from '../src/text/en/account.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { lookAt, type Faults } from './support/faults.ts';
import {
  accountButton,
  control,
  PASSWORD,
  registerElsewhere,
  signInAs,
  submit,
} from './support/members.ts';
import { eventually, inAnyWords, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { signIn, register, field, settings, sessions, profile, menu } = enAccount;

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
});

afterAll(() => instance[Symbol.asyncDispose]());

const urlOf = (path: string) => new URL(path, instance.url).href;

/** Opens a page of an account. */
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

browserTest(
  '[WC100][WC101][WC102][WC103] a visitor registers, and is known by the account from then on',
  async () => {
    const grace = await Someone.arrive(await browser.emptyVisit(), instance);
    grace.visit.expectFaults(/status of (409|422)/);
    const { page } = grace;
    const found: Faults = {};
    await page.getByRole('link', { name: en.shell.header.signIn }).waitFor();
    await lookAt(page, 'welcome', found);
    await grace.comeIn('Visitor');
    await grace.say('as a visitor');
    await grace.reads('as a visitor');
    await page.getByRole('banner').getByRole('link', { name: en.shell.header.signIn }).click();
    await control(page, signIn.identity).waitFor();
    await lookAt(page, 'sign in', found);
    await page.getByRole('link', { name: signIn.register }).click();
    await control(page, register.username).fill('-grace');
    await control(page, register.password).fill('short');
    await submit(grace);
    await page.getByText(field.usernameCharacters).waitFor();
    await lookAt(page, 'register, with mistakes', found);
    // The first mistake gets the focus, each is described, and nothing that was typed is lost.
    const username = control(page, register.username);
    await eventually(() => username.evaluate((box) => box === document.activeElement), true);
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
    await submit(grace);
    await accountButton(page).getByText('grace', { exact: true }).waitFor();
    expect(await keptOpenly(grace)).not.toMatch(/eyJ|soup/);
    await grace.waitUntilOnline();
    await grace.say('as myself');
    await grace.reads('as myself');
    const own = grace.log.getByRole('article').filter({ hasText: 'as myself' });
    expect(await own.getAttribute('aria-label')).toContain('grace');
    await page.reload();
    await accountButton(page).waitFor();
    await lookAt(page, 'lobby', found);
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
  await open(grace, 'register');
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
    await lookAt(page, 'sign in, wrong', found);
    await signInAs(grace, 'Hopper@lantern.example');
    await choose(grace, menu.settings);
    await page.getByRole('link', { name: settings.pages.sessions }).click();
    const rows = page.locator('.session');
    await eventually(() => rows.count(), 2);
    expect(await rows.first().innerText()).toContain(sessions.current);
    await lookAt(page, 'sessions', found);
    await rows.last().getByRole('button').click();
    await page.getByText(sessions.ended).waitFor();
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
    await choose(grace, menu.signOut);
    await page.getByRole('link', { name: en.shell.header.signIn }).waitFor();
    expect(await keptOpenly(grace)).not.toContain('hopper');
    expect(found).toEqual({ menu: [] });
  },
);

browserTest(
  '[WC106][WC107][WC112] the profile is what others see, and an ended session is noticed',
  async () => {
    const grace = new Someone(await browser.emptyVisit());
    const { page, visit } = grace;
    visit.expectFaults(/status of (401|404)/);
    const found: Faults = {};
    const elsewhere = await registerElsewhere(instance, 'lovelace');
    await open(grace, 'settings/profile');
    await page.getByText(signIn.first).waitFor();
    await signInAs(grace, 'lovelace');
    await control(page, profile.displayName).fill('Ada, Countess');
    await control(page, profile.bio).fill('Notes on the engine.');
    await page.getByRole('complementary').getByText('Ada, Countess').waitFor();
    await lookAt(page, 'profile', found);
    await page.getByRole('button', { name: settings.save }).click();
    await page.getByText(settings.saved, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await accountButton(page).getByText('Ada, Countess').waitFor();
    await choose(grace, menu.profile);
    const card = page.getByRole('dialog', { name: enAccount.user.title });
    await card.getByText('Notes on the engine.').waitFor();
    await lookAt(page, 'card', found);
    await open(grace, 'u/nobody.at.all');
    await page.getByText(enAccount.user.missingTitle).waitFor();
    for (const section of ['account', 'appearance', 'notifications'] as const) {
      await open(grace, `settings/${section}`);
      await page.getByRole('heading', { name: settings.pages[section], exact: true }).waitFor();
      await lookAt(page, section, found);
    }
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
