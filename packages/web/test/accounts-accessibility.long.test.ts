import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { lookAt, type Faults } from './support/faults.ts';
import { accountButton, PASSWORD, registerElsewhere } from './support/members.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

/** The pages that need no account. */
const PAGES = [
  '',
  'sign-in',
  'register',
  'invite/k7mwp3xd9qht',
  'forgotten-password',
  'reset-password',
  'reset-password#k7mw-p3xd-9qht-k7mw',
];

/** The pages that need one. */
const OWN_PAGES = [
  '',
  'verify-email',
  'settings',
  'settings/profile',
  'settings/account',
  'settings/sessions',
  'settings/appearance',
  'settings/notifications',
  'u/grace',
  'u/nobody.here',
];

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  const grace = await registerElsewhere(instance, 'grace');
  await grace.close();
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Somebody who looks at pages, and what is wrong with those. */
async function visitor(locale: string) {
  const someone = new Someone(await browser.visit({ locale }));
  const { page, visit } = someone;
  // The second press on every button asks for another archive of the data.
  visit.expectFaults(/status of (401|404|429)/);
  const found: Faults = {};
  const look = async (path: string) => {
    await page.goto('about:blank');
    await page.goto(new URL(path, instance.url).href);
    await page.locator('main').first().waitFor();
    // A part that is still loading has an empty place without a heading.
    await page.waitForLoadState('networkidle');
    await eventually(() => page.locator('.lost-here').count(), 0);
    if (path.startsWith('settings')) await page.getByRole('dialog').waitFor();
    const waiting = page.locator('dialog [role=status], .account-page').getByText('…');
    await eventually(() => waiting.count(), 0);
    await lookAt(page, path, found);
  };
  const signIn = async (password: string) => {
    await page.goto(new URL('sign-in', instance.url).href);
    await page.locator('[name=username]').fill('grace');
    await page.locator('[name=password]').fill(password);
    await page.locator('[type=submit]').click();
  };
  return { page, found, look, signIn };
}

async function grace(locale: string) {
  const own = await visitor(locale);
  await own.signIn(PASSWORD);
  await accountButton(own.page).waitFor();
  return own;
}

describe.each(['en-GB', 'de-DE'])(
  'axe finds no fault in the views of accounts, and they fit narrow pages, in %s',
  (locale) => {
    browserTest('without an account', async () => {
      const { page, found, look, signIn } = await visitor(locale);
      for (const path of PAGES) await look(path);
      await signIn('not it');
      await page.locator('.form-problem').waitFor();
      await lookAt(page, 'a wrong password', found);
      expect(found).toEqual({});
    });

    browserTest('with an account', async () => {
      const { found, look } = await grace(locale);
      for (const path of OWN_PAGES) await look(path);
      expect(found).toEqual({});
    });

    browserTest('in each part of the settings of an account', async () => {
      const { page, found, look } = await grace(locale);
      await look('settings/account');
      const rows = page.locator('.settings-row-head button');
      expect(await rows.count()).toBeGreaterThan(0);
      for (let row = 0; row < (await rows.count()); row += 1) {
        await rows.nth(row).click();
        await lookAt(page, `part ${row} of the account`, found);
        await rows.nth(row).click();
      }
      expect(found).toEqual({});
    });
  },
);
