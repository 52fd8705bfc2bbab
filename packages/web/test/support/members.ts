import { connect, memoryTokens, type Client } from '@hearth/sdk';
import type { MailServer } from '@hearth/testing/servers/mail-server';
import type { Locator, Page } from 'playwright-core';
import { enAccount } from '../../src/text/en/account.ts';
import { goTo } from './go-to.ts';
import { eventually, type Someone } from './someone.ts';
import type { WebInstance } from './web-instance.ts';

/** The password of everybody in tests. */
export const PASSWORD = 'soup for twelve people';

/** Registers somebody without a browser. */
export async function registerElsewhere(
  instance: Pick<WebInstance, 'url'>,
  username: string,
): Promise<Client> {
  const client = await connect(instance.url, {
    tokens: memoryTokens(),
    author: username,
  });
  const email = `${username}@lantern.example`;
  await client.register({ username, email, password: PASSWORD });
  return client;
}

/** The button of the reader's account in the header. */
export const accountButton = (page: Page): Locator => page.locator('.header-account');

/** The control with exactly this label. */
export const control = (page: Page, label: string): Locator =>
  page.getByLabel(label, { exact: true });

/** Submits the form of a page of its own. */
export async function submit({ page }: Someone): Promise<void> {
  await page.locator('main form [type=submit]').click();
}

/** Does something after which the page loads itself again, such as signing out, and waits until it has. */
export async function untilReloaded(page: Page, act: () => Promise<void>): Promise<void> {
  const loaded = page.waitForEvent('load');
  await act();
  await loaded;
}

/** Signs in on the page for that. */
export async function signInAs(someone: Someone, identity: string): Promise<void> {
  const { page } = someone;
  await control(page, enAccount.signIn.identity).fill(identity);
  await control(page, enAccount.signIn.password).fill(PASSWORD);
  await submit(someone);
  await accountButton(page).waitFor();
  await enterLobby(page);
}

/** Goes from the start page of somebody with an account to the lobby, if they are there. */
export async function enterLobby(page: Page): Promise<void> {
  const { pathname } = new URL(page.url());
  if (pathname === '/') await goTo(page, 'lobby');
  await accountButton(page).waitFor();
}

/** Chooses in the menu of the account. */
export async function chooseInMenu({ page }: Someone, label: string | RegExp): Promise<void> {
  await accountButton(page).click();
  await page.getByRole('menuitem', { name: label }).click();
}

/** Everything that the page keeps where other scripts could read it at once. */
export const keptOpenly = ({ page }: Someone) =>
  page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
  );

export const hasFocus = (element: Locator) =>
  element.evaluate((it) => it === document.activeElement);

/** The code in the newest mail to somebody about something. */
export async function codeFor(
  { received }: MailServer,
  address: string,
  subject: string,
): Promise<string> {
  const codes = () =>
    received
      .filter(({ to, text }) => to.includes(address) && text.includes(subject))
      .flatMap(({ text }) => text.match(/^ +[a-z\d]{4}(-[a-z\d]{4}){3}/gm) ?? []);
  await eventually(async () => codes().length > 0, true);
  return (codes().at(-1) ?? '').trim();
}
