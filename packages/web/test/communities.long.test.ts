import { afterAll, beforeAll, expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { enAccount } from '../src/text/en/account.ts';
import { enCommunities } from '../src/text/en/communities.ts';
import { enCommunitySettings } from '../src/text/en/community-settings.ts';
import { GROUP_NAMES, permissionsIn } from '../src/communities/settings/permission-groups.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { accountButton, control, PASSWORD, registerElsewhere, submit } from './support/members.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { create, find, frame, gone, home, invite, menu, restore, switcher } = enCommunities;
const { channels, invites, leave, members, order, overwrites, permissions, roles } =
  enCommunitySettings;

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  await Promise.all(['ada', 'grace'].map((name) => registerElsewhere(instance, name)));
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Opens a page, and signs in there. */
async function enter(username: string, path = ''): Promise<Someone> {
  const someone = new Someone(await browser.visit());
  const { page } = someone;
  someone.visit.expectFaults(/status of (401|404|409)/);
  await page.goto(new URL('sign-in', instance.url).href);
  await control(page, enAccount.signIn.identity).fill(username);
  await control(page, enAccount.signIn.password).fill(PASSWORD);
  await submit(someone);
  await accountButton(page).waitFor();
  if (path !== '') await page.goto(new URL(path, instance.url).href);
  return someone;
}

const places = ({ page }: Someone) => page.getByRole('navigation', { name: frame.places }).first();
const pathOf = ({ page }: Someone) => new URL(page.url()).pathname;

browserTest(
  '[WC130][WC131][WC134][WC135] the views of making a community and joining it have no faults',
  async () => {
    const found: Faults = {};
    const ada = await enter('ada');
    const { page } = ada;
    await page.getByText(home.none).waitFor();
    await lookAt(page, 'home', found);
    await page.getByRole('main').getByRole('link', { name: frame.create }).click();
    const dialog = page.getByRole('dialog', { name: create.title });
    const next = dialog.getByRole('button', { name: create.next });
    await dialog.getByLabel(create.name).waitFor();
    await next.click();
    await page.getByText(create.nameShort).waitFor();
    await lookAt(page, 'name', found);
    await dialog.getByLabel(create.name).fill('Lantern Garden');
    await next.click();
    await dialog.getByRole('radio', { name: frame.visibilities.public }).check();
    expect(await dialog.getByText(create.kind).count()).toBe(1);
    await lookAt(page, 'purpose', found);
    await next.click();
    const slug = dialog.getByLabel(create.slug);
    expect(await slug.inputValue()).toBe('lantern-garden');
    await slug.fill('-');
    await page.getByText(create.slugLength).waitFor();
    await slug.fill('garden');
    await dialog.getByLabel(create.channels).fill('general\ntools');
    await lookAt(page, 'place', found);
    await dialog.getByRole('button', { name: create.submit }).click();
    const done = page.getByRole('dialog', { name: create.doneTitle('Lantern Garden') });
    const link = await done.getByLabel(create.inviteLink, { exact: true }).inputValue();
    await lookAt(page, 'done', found);
    await done.getByRole('link', { name: create.enter }).click();
    // A wide page leads to the first channel.
    await page.getByRole('heading', { name: 'general', exact: true }).waitFor();
    await eventually(() => page.title(), '#general · Lantern Garden · Lantern Street');
    await page.getByRole('link', { name: 'tools', exact: true }).click();
    await lookAt(page, 'channel', found);

    // Signed out, the invite leads to the page to sign in, and back.
    const grace = new Someone(await browser.visit());
    grace.visit.expectFaults(/status of (401|404)/);
    await grace.page.goto(link);
    await grace.page
      .getByRole('heading', { name: invite.titleBy('ada', 'Lantern Garden') })
      .waitFor();
    await lookAt(grace.page, 'invite', found);
    await grace.page.getByRole('link', { name: invite.haveAccount }).click();
    await control(grace.page, enAccount.signIn.identity).fill('grace');
    await control(grace.page, enAccount.signIn.password).fill(PASSWORD);
    await submit(grace);
    // Without another tap.
    await places(grace).getByRole('link', { name: 'Lantern Garden' }).waitFor();
    await eventually(async () => pathOf(grace).startsWith('/c/garden'), true);

    // What one changes, the other sees.
    await page.goto(new URL('c/garden/settings/channels', instance.url).href);
    await page.getByRole('button', { name: channels.add }).click();
    await control(page, channels.name).fill('bees');
    await lookAt(page, 'new channel', found);
    await page.getByRole('button', { name: channels.add }).click();
    await grace.page.getByRole('link', { name: 'bees' }).waitFor();
    expect(found).toEqual({});
  },
);

browserTest(
  '[WC130][WC136][WC137][WC137d][WC138][WC139] the owner runs a community, and a member sees what changes',
  async () => {
    const found: Faults = {};
    const owner = await registerElsewhere(instance, 'hopper');
    const { communities } = owner;
    const { id } = await communities.create({
      name: 'Repair café',
      slug: 'repair',
      visibility: 'public',
      join: 'open',
    });
    await communities.channels.create(id, { kind: 'messages', name: 'bikes' });
    const turing = await registerElsewhere(instance, 'turing');
    await turing.close();
    const lin = await enter('turing', 'communities');
    const { page: his } = lin;
    // Looked at, then joined.
    await his.getByRole('searchbox', { name: find.label }).fill('repair');
    const card = his.getByRole('article', { name: 'Repair café' });
    await lookAt(his, 'find', found);
    await card.getByRole('link', { name: find.look }).click();
    await his.getByText(frame.preview).waitFor();
    await lookAt(his, 'preview', found);
    await his.getByRole('button', { name: frame.join, exact: true }).click();
    await places(lin).getByRole('link', { name: 'Repair café' }).waitFor();

    const hopper = await enter('hopper', 'c/repair/settings/roles');
    const { page } = hopper;
    await page.getByRole('button', { name: roles.add }).click();
    await control(page, roles.name).fill('Mechanic');
    await page.getByRole('checkbox', { name: permissions.names.KICK.name }).check();
    const switches = page.getByRole('dialog').getByRole('checkbox');
    expect(await switches.count()).toBe(1 + GROUP_NAMES.flatMap(permissionsIn).length);
    await lookAt(page, 'role', found);
    await page.getByRole('button', { name: enCommunitySettings.save }).click();
    await page.getByText(enCommunitySettings.saved).waitFor();
    await page.getByRole('button', { name: roles.toList }).click();
    await page.getByRole('button', { name: 'Mechanic', exact: true }).waitFor();
    await lookAt(page, 'roles', found);

    // By the keyboard: the channel goes up, for the other at once.
    await page.goto(new URL('c/repair/settings/channels', instance.url).href);
    await page.getByRole('button', { name: order.handle('bikes') }).press('ArrowUp');
    await page.getByText(order.moved('bikes', 1, 2)).waitFor();
    await lookAt(page, 'channels', found);
    const links = his.getByRole('navigation', { name: frame.channels('Repair café') });
    await eventually(async () => (await links.getByRole('link').allInnerTexts())[0], 'bikes');

    // What everyone may not see goes from the column of the other.
    await page.getByRole('button', { name: 'bikes', exact: true }).click();
    await page.getByText(channels.everyoneSees('')).waitFor();
    const view = page.getByRole('radiogroup', {
      name: overwrites.group(permissions.names.VIEW.name, `@${roles.everyone}`),
    });
    await view.getByRole('radio', { name: overwrites.states.deny }).check();
    await page.getByText(channels.nobodySees).waitFor();
    await lookAt(page, 'channel', found);
    await links.getByRole('link', { name: 'bikes' }).waitFor({ state: 'detached' });

    await page.goto(new URL('c/repair/settings/members', instance.url).href);
    await page.getByRole('button', { name: members.actions('turing') }).click();
    await page.getByRole('checkbox', { name: 'Mechanic' }).check();
    await page.getByText(enCommunitySettings.saved).waitFor();
    await lookAt(page, 'member', found);
    await page.goto(new URL('c/repair/settings/invites', instance.url).href);
    await page.getByRole('button', { name: invites.create }).click();
    await page.getByLabel(invites.link, { exact: true }).waitFor();
    await lookAt(page, 'invites', found);
    await page.goto(new URL('c/repair/settings/audit', instance.url).href);
    await page.getByText('Mechanic').first().waitFor();
    await lookAt(page, 'audit', found);

    // The menu by key, and the switcher.
    await places(lin).getByRole('link', { name: 'Repair café' }).press('Shift+F10');
    const items = his.getByRole('menu', { name: 'Repair café' });
    await items.getByRole('menuitem', { name: menu.mute }).click();
    await places(lin).getByRole('link', { name: 'Repair café' }).press('Shift+F10');
    await items.getByRole('menuitem', { name: menu.unmute }).waitFor();
    await his.keyboard.press('Escape');
    await his.keyboard.press('Control+k');
    await his.getByRole('combobox', { name: switcher.label }).fill('lob');
    await lookAt(his, 'switcher', found);
    await his.keyboard.press('Enter');
    await eventually(async () => pathOf(lin), '/lobby');

    // Deleted and brought back.
    await page.goto(new URL('c/repair/settings/leave', instance.url).href);
    await page.getByRole('button', { name: leave.delete }).click();
    await control(page, leave.deleteSlug('repair')).fill('repair');
    await page.getByRole('button', { name: leave.deleteNext }).click();
    await control(page, leave.password).fill(PASSWORD);
    await lookAt(page, 'delete', found);
    await page.getByRole('button', { name: leave.deleteConfirm }).click();
    await page.getByText(restore.title('Repair café')).waitFor();
    await places(lin).getByRole('link', { name: 'Repair café' }).waitFor({ state: 'detached' });
    await his.getByRole('alert').getByText(gone.deleted('Repair café')).waitFor();
    await page.getByRole('button', { name: restore.restore }).click();
    await places(lin).getByRole('link', { name: 'Repair café' }).waitFor();
    await owner.close();
    expect(found).toEqual({});
  },
);

browserTest(
  '[WC137][WC137c] the focus stays near what was done, and any member is found for what they may do in a channel',
  async () => {
    const found: Faults = {};
    const owner = await registerElsewhere(instance, 'lovelace');
    const { communities } = owner;
    const { id } = await communities.create({
      name: 'Bakery',
      slug: 'bakery',
      visibility: 'public',
      join: 'open',
    });
    await communities.channels.create(id, { kind: 'messages', name: 'ovens' });
    const zuse = await registerElsewhere(instance, 'zuse');
    await zuse.communities.join(id);
    const lovelace = await enter('lovelace', 'c/bakery/settings/channels');
    const { page } = lovelace;
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');

    // The menu of a channel leads to it; opening a line to its heading, and back to the line.
    await page.goto(new URL('c/bakery', instance.url).href);
    await page.getByRole('link', { name: 'ovens' }).press('Shift+F10');
    await page.getByRole('menuitem', { name: menu.channelSettings }).press('Enter');
    await eventually(focused, 'ovens');
    await press(channels.toList);
    await press('ovens');
    await eventually(focused, 'ovens');
    await press(channels.delete);
    await press(enCommunitySettings.cancel);
    await eventually(focused, channels.delete);
    await press(channels.toList);
    await page.getByRole('button', { name: channels.add }).waitFor();
    await eventually(focused, 'ovens');
    await press('ovens');

    // Only one member sees it.
    const radio = (name: string, state: 'allow' | 'deny') =>
      page
        .getByRole('radiogroup', { name: overwrites.group(permissions.names.VIEW.name, name) })
        .getByRole('radio', { name: overwrites.states[state] });
    await radio(`@${roles.everyone}`, 'deny').check();
    await page.getByText(channels.nobodySees).waitFor();
    await page.getByRole('searchbox', { name: overwrites.find }).fill('zu');
    await page.getByRole('button', { name: 'zuse' }).click();
    await radio('zuse', 'allow').check();
    await page.getByText(channels.onlySome('zuse', '')).waitFor();
    await page.reload();
    await press('ovens');
    await page.getByText(channels.onlySome('zuse', '')).waitFor();
    await control(page, overwrites.choose).selectOption({ label: 'zuse' });
    await lookAt(page, 'an overwrite of a member', found);
    await press(overwrites.remove('zuse'));
    await page.getByText(channels.nobodySees).waitFor();
    await press(channels.delete);
    await press(channels.deleteConfirm);
    await eventually(focused, enCommunitySettings.pages.channels);

    // What is removed leaves the focus to the next line, and then to the title.
    await page.goto(new URL('c/bakery/settings/invites', instance.url).href);
    await page.getByRole('button', { name: invites.create }).click();
    await page.getByRole('button', { name: invites.create }).click();
    const revoke = page.getByRole('button', { name: invites.revoke });
    await revoke.nth(1).waitFor();
    await revoke.first().press('Enter');
    await eventually(() => revoke.count(), 1);
    await eventually(focused, invites.revoke);
    await page.keyboard.press('Enter');
    await eventually(focused, enCommunitySettings.pages.invites);
    await owner.close();
    await zuse.close();
    expect(found).toEqual({});
  },
);
