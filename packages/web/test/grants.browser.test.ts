import { afterAll, beforeAll, expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { enAccount } from '../src/text/en/account.ts';
import { enCommunitySettings } from '../src/text/en/community-settings.ts';
import { goTo } from './support/go-to.ts';
import { accountButton, control, PASSWORD, submit } from './support/members.ts';
import { Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { bans, members, overwrites, pages, permissions, roles } = enCommunitySettings;

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Sends a request of somebody, and returns the answer. */
async function ask(token: string, method: string, path: string, body: object = {}) {
  const answer = await fetch(`${instance.addresses.rest}${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(token !== '' && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return await answer.json();
}

const register = (username: string) =>
  ask('', 'POST', '/users', { username, email: `${username}@a.example`, password: PASSWORD });

async function enter(username: string): Promise<Someone> {
  const someone = new Someone(await browser.emptyVisit());
  someone.visit.expectFaults(/status of 404/);
  const { page } = someone;
  await page.goto(new URL('sign-in', instance.url).href);
  await control(page, enAccount.signIn.identity).fill(username);
  await control(page, enAccount.signIn.password).fill(PASSWORD);
  await submit(someone);
  await accountButton(page).waitFor();
  return someone;
}

/** Signs somebody in who manages the roles and channels of a community, which has two further roles and a member. */
async function enterAsManager(): Promise<Someone> {
  const [ada, max, bob] = [await register('ada'), await register('max'), await register('bob')];
  const given = { name: 'Garden', slug: 'garden', visibility: 'public' };
  const { id } = await ask(ada.token, 'POST', '/communities', given);
  const path = `/communities/${id}`;
  for (const { token } of [max, bob]) await ask(token, 'PUT', `${path}/members/me`);
  const role = { hoisted: false, mentionable: false, self_assignable: false };
  const make = (name: string, allowed: readonly string[]) =>
    ask(ada.token, 'POST', `${path}/roles`, { ...role, name, permissions: allowed });
  const managers = await make('managers', ['MANAGE_ROLES', 'MANAGE_CHANNELS', 'PIN']);
  await make('bouncers', ['BAN']);
  await make('pinners', ['PIN']);
  const change = { role_ids: [managers.id] };
  await ask(ada.token, 'PATCH', `${path}/members/${max.user.id}`, change);
  return await enter('max');
}

browserTest(
  '[WC347] roles and settings of channels that the reader may not hand out are disabled, with the reason',
  async () => {
    const { page } = await enterAsManager();
    await goTo(page, 'c/garden/settings/members');
    await page.getByRole('button', { name: enCommunitySettings.members.actions('bob') }).click();
    const dialog = page.getByRole('dialog', { name: 'bob' });
    await dialog.getByText(roles.cannotGive).waitFor();
    const isOffered = (name: string) => dialog.getByLabel(name).isEnabled();
    expect([await isOffered('bouncers'), await isOffered('pinners')]).toEqual([false, true]);

    await goTo(page, 'c/garden/settings/channels');
    await page.locator('[data-line]').first().click();
    await page.getByText(overwrites.cannotChange).waitFor();
    const everyone = `@${roles.everyone}`;
    const mayDeny = (permission: 'PIN' | 'MANAGE_CONTENT') =>
      page
        .getByRole('radiogroup', {
          name: overwrites.group(permissions.names[permission].name, everyone),
        })
        .getByLabel(overwrites.states.deny)
        .isEnabled();
    expect([await mayDeny('MANAGE_CONTENT'), await mayDeny('PIN')]).toEqual([false, true]);
  },
);

browserTest(
  '[WC137] a member is called something else, banned with a reason, and let in again',
  async () => {
    const [eve, joe] = [await register('eve'), await register('joe')];
    const given = { name: 'Orchard', slug: 'orchard', visibility: 'public' };
    const { id } = await ask(eve.token, 'POST', '/communities', given);
    await ask(joe.token, 'PUT', `/communities/${id}/members/me`);
    const { page } = await enter('eve');
    await goTo(page, 'c/orchard/settings/members');
    await page.getByRole('button', { name: members.actions('joe') }).click();
    const dialog = page.getByRole('dialog', { name: 'joe' });
    await dialog.getByLabel(members.nickname).fill(' Joe of the pears ');
    await dialog.getByRole('button', { name: enCommunitySettings.save }).click();
    await page.getByRole('button', { name: members.actions('Joe of the pears') }).waitFor();
    await dialog.getByText(enCommunitySettings.saved).waitFor();
    await dialog.getByRole('button', { name: members.ban, exact: true }).click();
    await dialog.getByLabel(members.reason).fill('took them all');
    await dialog.getByLabel(members.banUntil).selectOption(members.banFor['86400'] ?? '');
    await dialog.getByRole('button', { name: members.ban, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('@joe').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: pages.bans }).click();
    await page.getByText('took them all').waitFor();
    await page.getByRole('button', { name: bans.liftOf('joe') }).click();
    await page.getByText(bans.none).waitFor();
    await page.reload();
    await page.getByText(bans.none).waitFor();
  },
);
