import { fakeClock } from '@hearth/testing/fake-clock';
import type { launchChromium } from '@hearth/testing/browser/chromium';
import { Visit } from '@hearth/testing/browser/visit';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { enAccount } from '../../packages/web/src/text/en/account.ts';
import { enCommunities } from '../../packages/web/src/text/en/communities.ts';
import { enCommunitySettings } from '../../packages/web/src/text/en/community-settings.ts';
import { control, PASSWORD, submit } from '../../packages/web/test/support/members.ts';
import { Someone } from '../../packages/web/test/support/someone.ts';
import { WebInstance } from '../../packages/web/test/support/web-instance.ts';
import { take } from './camera.ts';
import { NOW } from './talk.ts';
import { buildTown, type Town } from './town.ts';

type Browser = Awaited<ReturnType<typeof launchChromium>>;

const SETTINGS = `public_url = "https://lantern.example"\nregistration = "open"\n${GENEROUS_LIMITS}`;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };
const { create, find, frame, menu, switcher, restore } = enCommunities;
const { channels, invites, leave, members, overwrites, pages, roles } = enCommunitySettings;

/** A window on the street's communities. */
interface View {
  readonly grace: Someone;
  readonly instance: WebInstance;
  readonly town: Town;
}

/** The pictures of communities: making, finding, reading and running them. */
export async function takeCommunities(
  browser: Browser,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const clock = fakeClock(Date.parse(NOW) - 3_600_000);
  await using instance = await WebInstance.start({ toml: SETTINGS, clock });
  const town = await buildTown({ instance, clock, files });
  clock.halt(Date.parse(NOW) - clock.unixMs());
  await using visit = await Visit.begin(browser, {
    viewport: DESKTOP,
    deviceScaleFactor: 1.5,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  visit.expectFaults(/status of (401|404)/);
  await visit.page.clock.setFixedTime(NOW);
  const view = { grace: new Someone(visit), instance, town };
  await takeInvite(view);
  await enter(view);
  await takePlaces(view);
  await takeChannel(view);
  await takeCreating(view);
  await takeSettings(view);
  await takeRunning(view);
  await takeEnd(view);
  const faults = visit.takeFaults();
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await town.mira.close();
  await town.grace.close();
}

async function go({ grace: { page }, instance }: View, path: string): Promise<void> {
  // What was closed leaves the browser's history a moment later.
  await page.waitForTimeout(300);
  await page.goto(new URL(path, instance.url).href);
}

/** Takes a view on a wide page, and on a phone in the dark. */
async function takeBoth(view: View, name: string): Promise<void> {
  const { page } = view.grace;
  await page.mouse.move(0, 0);
  await showPublicAddress(view);
  await take(page, `community-${name}`);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-theme=dark]').waitFor();
  await take(page, `phone-community-${name}`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESKTOP);
  await page.locator('html[data-theme=light]').waitFor();
}

/** Shows the address that the instance would have, which is another one each time. */
async function showPublicAddress({ grace: { page } }: View): Promise<void> {
  await page.evaluate(() => {
    const shown = (text: string) =>
      text
        .replace(location.origin, 'https://lantern.example')
        .replace(location.host, 'lantern.example');
    for (const input of document.querySelectorAll<HTMLInputElement>('.link-box input')) {
      input.value = shown(input.value);
    }
    for (const hint of document.querySelectorAll<HTMLElement>('.field .hint')) {
      if (hint.textContent?.includes(location.host)) hint.textContent = shown(hint.textContent);
    }
  });
}

async function takeInvite(view: View): Promise<void> {
  await go(view, `invite/${view.town.invite}`);
  await view.grace.page.locator('.invite-card').waitFor();
  await takeBoth(view, 'invite');
}

async function enter(view: View): Promise<void> {
  const { grace } = view;
  const { page } = grace;
  await go(view, 'sign-in');
  await control(page, enAccount.signIn.identity).fill('grace');
  await control(page, enAccount.signIn.password).fill(PASSWORD);
  await submit(grace);
  await page.getByRole('main').getByText('Lantern Garden').waitFor();
}

async function takePlaces(view: View): Promise<void> {
  const { page } = view.grace;
  await page
    .getByText(/^New in/)
    .first()
    .waitFor();
  await takeBoth(view, 'home');
  await go(view, 'communities');
  await page.getByRole('article', { name: 'Night choir' }).waitFor();
  await takeBoth(view, 'find');
  await page
    .getByRole('article', { name: 'Night choir' })
    .getByRole('link', { name: find.look })
    .click();
  await page.getByText(frame.preview).waitFor();
  await takeBoth(view, 'preview');
}

async function takeChannel(view: View): Promise<void> {
  const { grace, town } = view;
  const { page } = grace;
  await go(view, `c/garden/${town.general}`);
  await grace.reads('I do. It comes back tonight, with honey.');
  await grace.log.locator('.picture-front').last().waitFor();
  await takeBoth(view, 'channel');
  await page.emulateMedia({ colorScheme: 'dark' });
  await take(page, 'community-channel-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('link', { name: /^bees/ }).click({ button: 'right' });
  await page.getByRole('menu').getByText(menu.mute).waitFor();
  await take(page, 'community-menu');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: switcher.label }).fill('be');
  await takeBoth(view, 'switcher');
  await page.keyboard.press('Escape');
  await page.setViewportSize(PHONE);
  await go(view, 'c/garden');
  await page.getByRole('link', { name: /^bees/ }).waitFor();
  await take(page, 'phone-community-channels');
  await go(view, `c/garden/${town.general}`);
  await page.getByRole('button', { name: enCommunities.channel.showMembers }).click();
  await page.getByText('samir').first().waitFor();
  await take(page, 'phone-community-members');
  await page.setViewportSize(DESKTOP);
}

async function takeCreating(view: View): Promise<void> {
  const { page } = view.grace;
  await go(view, 'communities/new');
  const dialog = page.getByRole('dialog', { name: create.title });
  const next = dialog.getByRole('button', { name: create.next });
  await dialog.getByLabel(create.name).fill('Winter swimmers');
  await takeBoth(view, 'create-name');
  await next.click();
  await dialog.getByRole('radio', { name: frame.visibilities.public }).check();
  await takeBoth(view, 'create-purpose');
  await next.click();
  await dialog.getByLabel(create.channels).fill('general\nice-reports\nsoup-afterwards');
  await takeBoth(view, 'create-place');
  await dialog.getByRole('button', { name: create.submit }).click();
  await page.getByRole('dialog', { name: create.doneTitle('Winter swimmers') }).waitFor();
  await takeBoth(view, 'create-done');
}

async function takeSettings(view: View): Promise<void> {
  const { page } = view.grace;
  const open = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await go(view, 'c/garden/settings/overview');
  await page.locator('.banner-field .about-banner').waitFor();
  await takeBoth(view, 'overview');
  await go(view, 'c/garden/settings/channels');
  await page.getByRole('button', { name: channels.add }).waitFor();
  await takeBoth(view, 'channels-order');
  await open(channels.add);
  await control(page, channels.name).fill('compost');
  await takeBoth(view, 'new-channel');
  await open(channels.toList);
  await open('keyholders');
  await page.getByText(channels.onlySome('Keyholder', '')).waitFor();
  await takeBoth(view, 'channel-settings');
  await control(page, overwrites.choose).selectOption({ label: '@Keyholder' });
  await page.getByText(overwrites.remove('@Keyholder')).scrollIntoViewIfNeeded();
  await takeBoth(view, 'overwrites');
  await go(view, 'c/garden/settings/roles');
  await page.getByRole('button', { name: roles.add }).waitFor();
  await takeBoth(view, 'roles');
  await open('Keyholder');
  await page.getByRole('button', { name: roles.toList }).waitFor();
  await takeBoth(view, 'role');
}

async function takeRunning(view: View): Promise<void> {
  const { grace, town } = view;
  const { page } = grace;
  await go(view, 'c/garden/settings/members');
  await page.getByRole('button', { name: members.actions('samir') }).waitFor();
  await takeBoth(view, 'members-list');
  await page.getByRole('button', { name: members.actions('samir') }).click();
  await page.getByRole('checkbox', { name: 'Beekeeper' }).waitFor();
  await takeBoth(view, 'member');
  await go(view, 'c/garden/settings/invites');
  await page.getByRole('button', { name: invites.create }).click();
  await page.getByLabel(invites.link, { exact: true }).waitFor();
  await takeBoth(view, 'invites');
  const { entries } = await town.grace.communities.members.list(town.garden, { q: 'dough' });
  const [starter] = entries;
  if (starter === undefined) throw new Error('nobody is called Doughlores');
  const place = { community_id: town.garden, user_id: starter.user.id };
  await town.grace.communities.bans.set(place, { reason: 'Was a sourdough starter all along.' });
  await go(view, 'c/garden/settings/bans');
  await page.getByText('sourdough').waitFor();
  await takeBoth(view, 'bans');
  await go(view, 'c/garden/settings/audit');
  await page.getByText('Beekeeper').first().waitFor();
  await takeBoth(view, 'audit');
  await page.setViewportSize(PHONE);
  await go(view, 'c/garden/settings');
  await page.getByRole('link', { name: pages.roles }).waitFor();
  await take(page, 'phone-community-settings');
  await page.setViewportSize(DESKTOP);
}

async function takeEnd(view: View): Promise<void> {
  const { page } = view.grace;
  await go(view, 'c/garden/settings/leave');
  await page.getByRole('button', { name: leave.delete }).click();
  await control(page, leave.deleteSlug('garden')).fill('garden');
  await takeBoth(view, 'delete');
  await page.getByRole('button', { name: leave.deleteNext }).click();
  await control(page, leave.password).fill(PASSWORD);
  await page.getByRole('button', { name: leave.deleteConfirm }).click();
  await page.getByText(restore.title('Lantern Garden')).waitFor();
  await takeBoth(view, 'restore');
  await page.getByRole('button', { name: restore.restore }).click();
  await page.getByText(restore.title('Lantern Garden')).waitFor({ state: 'detached' });
}
