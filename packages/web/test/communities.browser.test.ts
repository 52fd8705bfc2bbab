import { afterAll, beforeAll, expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { enAccount } from '../src/text/en/account.ts';
import { enCommunities } from '../src/text/en/communities.ts';
import { enCommunitySettings } from '../src/text/en/community-settings.ts';
import { goTo } from './support/go-to.ts';
import { accountButton, control, PASSWORD, registerElsewhere, submit } from './support/members.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { create, frame, home, invite } = enCommunities;
const { channels } = enCommunitySettings;

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  await Promise.all(['ada', 'grace'].map((name) => registerElsewhere(instance, name)));
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Signs somebody in on the page for that. */
async function enter(username: string): Promise<Someone> {
  const someone = new Someone(await browser.emptyVisit());
  const { page } = someone;
  someone.visit.expectFaults(/status of (401|404|409)/);
  await page.goto(new URL('sign-in', instance.url).href);
  await control(page, enAccount.signIn.identity).fill(username);
  await control(page, enAccount.signIn.password).fill(PASSWORD);
  await submit(someone);
  await accountButton(page).waitFor();
  return someone;
}

const places = ({ page }: Someone) => page.getByRole('navigation', { name: frame.places }).first();
const pathOf = ({ page }: Someone) => new URL(page.url()).pathname;

browserTest(
  '[WC130][WC131][WC134][WC135] somebody makes a community, and somebody else joins it by the invite',
  async () => {
    const ada = await enter('ada');
    const { page } = ada;
    await page.getByText(home.none).waitFor();
    await page.getByRole('main').getByRole('link', { name: frame.create }).click();
    const dialog = page.getByRole('dialog', { name: create.title });
    const next = dialog.getByRole('button', { name: create.next });
    await dialog.getByLabel(create.name).waitFor();
    await next.click();
    await page.getByText(create.nameShort).waitFor();
    await dialog.getByLabel(create.name).fill('Lantern Garden');
    await next.click();
    await dialog.getByRole('radio', { name: frame.visibilities.public }).check();
    await next.click();
    const slug = dialog.getByLabel(create.slug);
    expect(await slug.inputValue()).toBe('lantern-garden');
    await slug.fill('-');
    await page.getByText(create.slugLength).waitFor();
    await slug.fill('garden');
    await dialog.getByLabel(create.channels).fill('general\ntools');
    await dialog.getByRole('button', { name: create.submit }).click();
    const done = page.getByRole('dialog', { name: create.doneTitle('Lantern Garden') });
    const link = await done.getByLabel(create.inviteLink, { exact: true }).inputValue();
    await done.getByRole('link', { name: create.enter }).click();
    // A wide page leads to the first channel.
    await page.getByRole('heading', { name: 'general', exact: true }).waitFor();
    await eventually(() => page.title(), '#general · Lantern Garden · Lantern Street');
    await page.getByRole('link', { name: 'tools', exact: true }).click();

    // Signed out, the invite leads to the page to sign in, and back.
    const grace = new Someone(await browser.emptyVisit());
    grace.visit.expectFaults(/status of (401|404)/);
    await grace.page.goto(link);
    await grace.page
      .getByRole('heading', { name: invite.titleBy('ada', 'Lantern Garden') })
      .waitFor();
    await grace.page.getByRole('link', { name: invite.haveAccount }).click();
    await control(grace.page, enAccount.signIn.identity).fill('grace');
    await control(grace.page, enAccount.signIn.password).fill(PASSWORD);
    await submit(grace);
    // Without another tap.
    await places(grace).getByRole('link', { name: 'Lantern Garden' }).waitFor();
    await eventually(async () => pathOf(grace).startsWith('/c/garden'), true);

    // What one changes, the other sees.
    await goTo(page, 'c/garden/settings/channels');
    await page.getByRole('button', { name: channels.add }).click();
    await control(page, channels.name).fill('bees');
    await page.getByRole('button', { name: channels.add }).click();
    await grace.page.getByRole('link', { name: 'bees' }).waitFor();
  },
);
