import { expect } from 'bun:test';
import type { Id } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import type { Locator, Page } from 'playwright-core';
import { en } from '../../src/text/en.ts';
import { enSearch } from '../../src/text/en/search.ts';
import { enChannelMessages as tool } from '../../src/text/en/channel-messages.ts';
import { eventually, type Someone } from './someone.ts';

/** A community with two channels; ada owns it, and henry is a member. */
export interface Garden {
  readonly owner: Client;
  readonly community: Id;
  readonly general: Id;
  readonly tools: Id;
  /** Opens a path of the page as somebody. */
  readonly enter: (username: string, path: string) => Promise<Someone>;
}

/** Looks at a view as it is. */
type Look = (page: Page, view: string) => Promise<void>;

/** A message in the list. */
export const messageOf = ({ log }: Someone, text: string): Locator =>
  log.getByRole('article').filter({ hasText: text });

/** Does what moderators do with messages, while somebody else sees it. */
export async function tryTools(
  { owner, community, general, tools, enter }: Garden,
  look: Look = async () => {},
): Promise<void> {
  const path = `/c/garden/${general}`;
  const channel = owner.channel(general);
  const { id: role } = await owner.communities.roles.create(community, {
    name: 'Bee keepers',
    mentionable: true,
  });
  const henry = (await owner.communities.members.list(community, { q: 'henry' })).entries[0]?.user
    .id;
  const member = { community_id: community, user_id: henry ?? community };
  await owner.communities.members.change(member, { role_ids: [role] });
  const { id: changed } = await channel.send('honey on tusday');
  await channel.change(changed, 'honey on Tuesday');
  await channel.send('@bee-keepers, the hive is in #tools and @grace has the key');
  await owner.channel(tools).send('honey is in the shed');
  const indexed = async () => (await owner.channel(tools).search({ text: 'honey' })).messages;
  await eventually(async () => (await indexed()).length, 1);
  const ada = await enter('ada', path);
  const { page } = ada;
  // Names are shown, and lead somewhere.
  const named = messageOf(ada, 'the hive is in');
  await named.getByText('@Bee keepers').waitFor();
  const link = named.getByRole('link', { name: '#tools' });
  expect(await link.getAttribute('href')).toContain(`c/garden/${tools}`);
  const shown = await enter('henry', path);
  await messageOf(shown, 'the hive is in').locator('mark.mention').waitFor();
  expect(await messageOf(shown, 'the hive is in').getAttribute('data-mention')).toBe('true');
  // A warning before many are mentioned.
  await page.route('**/reach', (route) => route.fulfill({ json: { people: 120 } }));
  await ada.say('@all, come!');
  const warning = page.getByRole('dialog', { name: tool.reachTitle('120') });
  await warning.waitFor();
  await look(page, 'reach');
  await page.keyboard.press('Enter');
  await warning.waitFor({ state: 'detached' });
  expect(await ada.messageBox.inputValue()).toBe('@all, come!');
  await ada.messageBox.press('Enter');
  await warning.getByRole('button', { name: tool.send }).click();
  await messageOf(shown, '@all, come!').waitFor();
  // Earlier versions.
  await messageOf(ada, 'honey on Tuesday').locator('.edited-button').click();
  const versions = page.getByRole('dialog', { name: tool.versions });
  await versions.getByText('honey on tusday').waitFor();
  await look(page, 'versions');
  await page.keyboard.press('Escape');
  // Pins.
  await messageOf(ada, 'honey on Tuesday').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: tool.pin, exact: true }).click();
  await messageOf(shown, 'honey on Tuesday')
    .getByRole('img', { name: en.reading.pinned })
    .waitFor();
  await shown.button(tool.pins).click();
  const pins = shown.page.getByRole('dialog', { name: tool.pins });
  await pins.getByText('honey on Tuesday').waitFor();
  expect(await pins.getByRole('button', { name: tool.unpin }).count()).toBe(0);
  await look(shown.page, 'pins');
  await pins.getByRole('link', { name: 'ada' }).click();
  await shown.log.locator('[data-sought]').getByText('honey on Tuesday').waitFor();
  await ada.button(tool.pins).click();
  await ada.button(tool.unpin).click();
  await page.getByText(tool.noPins).waitFor();
  await page.keyboard.press('Escape');
  // The whole community is searched from any channel.
  await ada.button(en.reading.openSearch).click();
  const panel = page.getByRole('dialog', { name: enSearch.title });
  await panel.getByRole('searchbox').fill('honey');
  await panel.getByText('honey on Tuesday').waitFor();
  await look(page, 'search');
  await panel.locator('.search-hit', { hasText: '#tools' }).click();
  await ada.log.locator('[data-sought]').getByText('honey is in the shed').waitFor();
  await page.goto(new URL(path, ada.page.url()).href);
  // Of what the channel notifies.
  await page.getByRole('link', { name: 'tools', exact: true }).press('Shift+F10');
  await page.getByRole('menuitem', { name: tool.levels.open }).click();
  const levels = page.getByRole('dialog', { name: tool.levels.title('tools') });
  const chosen = page.waitForResponse(`**/channels/${tools}/notifications`);
  await levels.getByRole('radio', { name: tool.levels.names.all }).check();
  const answer = await chosen;
  expect([answer.status(), answer.request().postDataJSON()]).toEqual([200, { level: 'all' }]);
  await look(page, 'levels');
  await page.keyboard.press('Escape');
  // Choosing by keyboard, and deleting.
  await messageOf(ada, 'honey on Tuesday').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: tool.select }).click();
  await page.getByText(tool.selected(1, '1')).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.getByText(tool.selected(2, '2')).waitFor();
  await look(page, 'choosing');
  await ada.button(tool.remove).click();
  const asking = page.getByRole('dialog', { name: tool.removeTitle(2, '2') });
  await look(page, 'deleting');
  await asking.getByRole('button', { name: tool.remove }).click();
  await messageOf(shown, 'honey on Tuesday').waitFor({ state: 'detached' });
  await messageOf(shown, 'the hive is in').waitFor({ state: 'detached' });
  await ada.messageBox.waitFor();
  // Who has mentioned somebody is listed, and leads to the message.
  await owner.channel(tools).send('@henry, bring the smoker');
  await shown.page.goto(new URL('/', shown.page.url()).href);
  await shown.button(tool.inbox.unread(1, '1')).click();
  const inbox = shown.page.getByRole('dialog', { name: tool.inbox.title });
  const entry = inbox.locator('[data-is-unread]').getByText(tool.inbox.mentioned.message('ada'));
  await entry.waitFor();
  await look(shown.page, 'inbox');
  await inbox.getByRole('button', { name: tool.inbox.readAll }).click();
  await entry.waitFor({ state: 'detached' });
  await inbox.getByRole('link', { name: tool.inbox.mentioned.message('ada') }).click();
  await shown.log.locator('[data-sought]').getByText('bring the smoker').waitFor();
}
