import { afterAll, beforeAll, expect } from 'bun:test';
import type { Id, OverwriteChange } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { en } from '../src/text/en.ts';
import { enSearch } from '../src/text/en/search.ts';
import { enAccount } from '../src/text/en/account.ts';
import { enCommunities } from '../src/text/en/communities.ts';
import { KeptSignIns } from './support/kept-sign-ins.ts';
import { goTo } from './support/go-to.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { PASSWORD, registerElsewhere } from './support/members.ts';
import { eventually, Someone } from './support/someone.ts';
import { messageOf } from './support/try-tools.ts';
import { WebInstance } from './support/web-instance.ts';

const words = enCommunities.channel;
const TEXT = Buffer.from('spade, rake, seeds');

const browser = useBrowser();
const signIns = new KeptSignIns(browser, /status of (401|404)/);
let instance: WebInstance;
let owner: Client;
let general: Id;
let tools: Id;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  const [ada, grace, henry] = await Promise.all(
    ['ada', 'grace', 'henry'].map((name) => registerElsewhere(instance, name)),
  );
  if (ada === undefined || grace === undefined || henry === undefined)
    throw new TypeError('nobody is there');
  owner = ada;
  const made = await ada.communities.create({
    name: 'Lantern Garden',
    slug: 'garden',
    visibility: 'public',
  });
  const [first] = made.channels;
  if (first === undefined) throw new TypeError('there is no channel');
  general = first.id;
  tools = (await ada.communities.channels.create(made.id, { kind: 'messages', name: 'tools' })).id;
  for (const person of [grace, henry]) await person.communities.join(made.id);
});

afterAll(() => instance[Symbol.asyncDispose]());

async function enter(username: string, path: string): Promise<Someone> {
  const someone = await signIns.enter(username, new URL(path, instance.url));
  await someone.log.waitFor();
  return someone;
}

browserTest(
  '[WC34][WC145][WC147][WC148][WC390] two people talk in a channel, with replies, files and reactions',
  async () => {
    const found: Faults = {};
    await owner.updateMe({ display_name: 'Ada Lovelace' });
    const ada = await enter('ada', `c/garden/${general}`);
    const grace = await enter('grace', `c/garden/${general}`);
    await ada.say('the tulips are out');
    await messageOf(grace, 'the tulips are out').waitFor();
    await grace.messageBox.pressSequentially('so are');
    await ada.page.getByText(words.typing('grace')).waitFor();
    await messageOf(grace, 'the tulips are out').hover();
    await grace.button(en.reading.reply).first().click();
    await grace.page.getByText(en.reading.replyingTo('Ada Lovelace')).waitFor();
    await grace.messageBox.fill('so are mine');
    const picker = grace.page.locator('input[type=file]');
    await picker.setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: TEXT });
    await grace.messageBox.press('Enter');
    const answer = messageOf(ada, 'so are mine');
    await answer.getByText('list.txt').waitFor();
    await answer.getByText('the tulips are out').waitFor();
    await answer.locator('.quote-author').getByText('Ada Lovelace').waitFor();
    const members = ada.page.getByRole('complementary', { name: words.members });
    await members.getByText('grace').waitFor();
    await lookAt(ada.page, 'talk', found);
    await ada.page.setViewportSize({ width: 390, height: 800 });
    await members.waitFor({ state: 'detached' });
    await ada.button(words.showMembers).click();
    await members.waitFor();
    await members.getByRole('button', { name: words.hideMembers }).click();
    await answer.waitFor();
    await ada.page.setViewportSize({ width: 1280, height: 800 });
    const [listed] = await owner.channel(general).history({ limit: 1 });
    expect(listed).toMatchObject({ content: 'so are mine', attachments: [{ name: 'list.txt' }] });
    expect(listed?.reply_to?.excerpt).toBe('the tulips are out');

    // Somebody who has not written is found by the beginning of their name.
    await ada.messageBox.pressSequentially('@hen');
    await ada.page.getByRole('option', { name: 'henry' }).waitFor();
    await ada.messageBox.fill('');

    // A name that is found when the message was sent is not offered any more.
    const isSearch = /\/members\?.*q=/;
    const isLast = /\/members\?.*q=henr/;
    const { promise: mayFind, resolve: find } = Promise.withResolvers<void>();
    await ada.page.route(isSearch, (route) => mayFind.then(() => route.continue()));
    const asked = ada.page.waitForRequest(isLast);
    const answered = ada.page.waitForResponse(isLast);
    await ada.messageBox.pressSequentially('where is @henr');
    await asked;
    await ada.messageBox.press('Enter');
    await ada.log.getByText('where is @henr').waitFor();
    find();
    await answered;
    for (let turn = 0; turn < 10; turn += 1) {
      await ada.page.evaluate(() => new Promise<void>((resolve) => setTimeout(resolve)));
      expect(await ada.page.getByRole('option').count()).toBe(0);
    }
    await ada.page.unroute(isSearch);

    // A result of the search leads to its place in the channel.
    const indexed = async () => (await owner.channel(general).search({ text: 'tuli' })).messages;
    await eventually(async () => (await indexed()).length, 1);
    await ada.button(en.reading.openSearch).click();
    const panel = ada.page.getByRole('dialog', { name: enSearch.title });
    await panel.getByRole('searchbox').fill('tuli');
    await panel.locator('.search-hit').getByText('the tulips are out').click();
    await panel.waitFor({ state: 'detached' });
    await ada.log.locator('[data-sought]').getByText('the tulips are out').waitFor();

    // Changes, here and there.
    await owner.channel(general).react(listed?.id ?? general, '🌷');
    await messageOf(grace, 'so are mine').getByText('🌷').waitFor();
    await grace.messageBox.press('ArrowUp');
    const editor = grace.page.getByRole('textbox', { name: enAccount.edit.label });
    await editor.waitFor();
    await editor.press('End');
    await editor.pressSequentially('!');
    await editor.press('Enter');
    await messageOf(ada, 'so are mine!').getByText('list.txt').waitFor();
    await owner.updateMe({ display_name: null });
    expect(found).toEqual({});
  },
);

browserTest(
  '[WC146][WC149][WC216][WC216a] unread channels are marked until they are read, on all devices',
  async () => {
    const grace = await enter('grace', `c/garden/${general}`);
    // The columns are loaded after the first load, which may fail.
    let isAway = true;
    await grace.page.route('**/assets/*.js', async (route) => {
      const response = await route.fetch();
      const isOfColumns = (await response.text()).includes('places-own');
      await (isAway && isOfColumns ? route.abort() : route.fulfill({ response }));
    });
    grace.visit.expectFaults(/ERR_FAILED|status of (401|404)/);
    await grace.page.reload();
    await grace.page.getByRole('alert').getByText(en.shell.places.partFailed).waitFor();
    isAway = false;
    // It is also loaded again when the connection opens, which may come first.
    const again = grace.button(en.shell.asked.again).click({ timeout: 3_000 });
    await Promise.any([again, grace.log.waitFor()]);
    await grace.log.waitFor();
    // What is still under way is waited for.
    await grace.page.unrouteAll({ behavior: 'wait' });
    // What the instance does not have any more comes with another page.
    await grace.page.route('**/assets/account-*.js', (route) => route.fulfill({ status: 404 }));
    await goTo(grace.page, 'settings');
    await grace.page.getByText(en.shell.places.partGone).waitFor();
    await grace.page.unrouteAll({ behavior: 'wait' });
    await grace.button(en.shell.banner.reload).click();
    await grace.page.getByRole('dialog').waitFor();
    await goTo(grace.page, `c/garden/${general}`);
    await grace.log.waitFor();
    const unread = grace.page.getByRole('link', { name: /^tools.*unread/ });
    // A closed column of members stays closed.
    const other = await enter('grace', `c/garden/${general}`);
    const members = other.page.getByRole('complementary', { name: words.members });
    await members.getByText('henry').waitFor();
    await other.button(words.hideMembers).last().click();
    await members.waitFor({ state: 'detached' });
    await owner.channel(tools).send('where is the spade?');
    await unread.waitFor();
    await other.page.getByRole('link', { name: /^tools/ }).click();
    await messageOf(other, 'where is the spade?').waitFor();
    await unread.waitFor({ state: 'detached' });
    expect(await members.count()).toBe(0);
    await other.button(words.showMembers).click();
    await members.getByText('henry').waitFor();
    const { id } = await owner.channel(general).send('look here');
    await goTo(other.page, `c/garden/${general}/${id}`);
    await messageOf(other, 'look here').waitFor();
  },
);

browserTest(
  '[WC385] a new name and a deleted account show at once, with messages and members',
  async () => {
    const iris = await registerElsewhere(instance, 'iris');
    const [community] = owner.communities.all();
    if (community === undefined) throw new TypeError('there is no community');
    await iris.communities.join(community.id);
    await iris.channel(general).send('it rains');
    const ada = await enter('ada', `c/garden/${general}`);
    const said = messageOf(ada, 'it rains');
    const members = ada.page.getByRole('complementary', { name: words.members });
    for (const place of [said, members]) await place.getByText('iris').first().waitFor();
    await iris.updateMe({ display_name: 'Iris of the valley' });
    for (const place of [said, members])
      await place.getByText('Iris of the valley').first().waitFor();
    await iris.deleteMe({ current_password: PASSWORD, content: 'keep' });
    await said.getByText('deleted').first().waitFor();
    await members.getByText('Iris of the valley').first().waitFor({ state: 'detached' });
    await iris.close();
  },
);

browserTest('[WC150] somebody who is timed out sees until when, and nobody else', async () => {
  const grace = await enter('grace', `c/garden/${general}`);
  const community = owner.communities.all()[0];
  const me = await grace.page.getByRole('complementary', { name: words.members });
  await me.getByText('grace').waitFor();
  const [user] = (await owner.communities.members.list(community?.id ?? general, { q: 'grace' }))
    .entries;
  const change = { timed_out_until: Date.now() + 600_000 };
  const member = { community_id: community?.id ?? general, user_id: user?.user.id ?? general };
  await owner.communities.members.change(member, change);
  await grace.page.getByText(words.timedOut('').slice(0, 20)).waitFor();
  await owner.communities.members.change(member, { timed_out_until: null });
  await grace.messageBox.waitFor();
});

browserTest(
  '[WC151][WC152] what is written survives that a channel becomes restricted and open again, and a member who is removed reads why',
  async () => {
    const grace = await enter('grace', `c/garden/${tools}`);
    // What was seen may be reported as read just after the membership has ended.
    grace.visit.expectFaults(/status of 403 .*\/channels\/\d+\/read\)/);
    const [community] = owner.communities.all();
    const found = await owner.communities.members.list(community?.id ?? tools, { q: 'grace' });
    const [{ user } = { user: { id: tools } }] = found.entries;
    const picker = grace.page.locator('input[type=file]');
    await picker.setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: TEXT });
    await grace.messageBox.pressSequentially('half a sen');
    const set = (id: Id, overwrite: OverwriteChange) =>
      owner.communities.channels.setOverwrite({ channel_id: tools, id }, overwrite);
    await set(user.id, { kind: 'member', allow: ['VIEW'], deny: [] });
    await set(community?.id ?? tools, { kind: 'role', allow: [], deny: ['VIEW'] });
    await grace.page.getByRole('link', { name: /^tools.*restricted/ }).waitFor();
    await grace.page.keyboard.type('ten');
    await set(community?.id ?? tools, { kind: 'role', allow: [], deny: [] });
    await grace.page.getByRole('link', { name: 'tools', exact: true }).waitFor();
    await grace.page.keyboard.type('ce');
    await grace.messageBox.press('Enter');
    await messageOf(grace, 'half a sentence').getByText('list.txt').waitFor();
    const [listed] = await owner.channel(tools).history({ limit: 1 });
    expect(listed).toMatchObject({
      content: 'half a sentence',
      attachments: [{ name: 'list.txt' }],
    });
    await owner.communities.members.kick({
      community_id: community?.id ?? tools,
      user_id: user.id,
    });
    await grace.page.goto(new URL(`c/garden/${general}`, instance.url).href);
    await grace.page.getByText(enCommunities.frame.preview).waitFor();
    const join = grace.button(enCommunities.frame.join);
    // A click is lost if the button is drawn again between press and release, as while a busy machine opens the channel.
    await eventually(async () => {
      if (await join.isVisible()) await join.click({ timeout: 2_000 }).catch(() => undefined);
      return grace.messageBox.isVisible();
    }, true);
    await owner.communities.members.kick({
      community_id: community?.id ?? tools,
      user_id: user.id,
    });
    await grace.page.getByText(enCommunities.gone.kicked('Lantern Garden')).waitFor();
    // What others see goes on.
    await owner.channel(general).send('is somebody there?');
    await messageOf(grace, 'is somebody there?').waitFor();
  },
);
