import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { connect, memoryTokens, type Client } from '@hearth/sdk';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { deAccount } from '../src/text/de/account.ts';
import { deCommunities } from '../src/text/de/communities.ts';
import { enAccount } from '../src/text/en/account.ts';
import { enCommunities } from '../src/text/en/communities.ts';
import { enCommunitySettings } from '../src/text/en/community-settings.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { accountButton, control, PASSWORD, submit } from './support/members.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { invite: words, create, home, frame } = enCommunities;
const { register } = enAccount;
const { invites } = enCommunitySettings;

const browser = useBrowser();

const pathOf = ({ page }: Someone) => new URL(page.url()).pathname;

const shot = async ({ page }: Someone, name: string) => {
  const folder = process.env['SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
};

/** Somebody who has never been here, in a window of their own. */
async function stranger(options = {}): Promise<Someone> {
  const someone = new Someone(await browser.visit(options));
  someone.visit.expectFaults(/status of (400|401|403|404|409|422)/);
  return someone;
}

async function fillIn({ page }: Someone, username: string, texts = register): Promise<void> {
  await control(page, texts.username).fill(username);
  await control(page, texts.email).fill(`${username}@lantern.example`);
  await page.getByLabel(texts.password, { exact: true }).fill(PASSWORD);
}

/** Counts the clicks and taps in all pages of a window. */
async function countTaps({ visit, page }: Someone): Promise<() => number> {
  let taps = 0;
  await page.exposeFunction('tapped', () => void (taps += 1));
  await visit.context.addInitScript(() => {
    addEventListener('click', () => Reflect.get(globalThis, 'tapped')(), true);
  });
  return () => taps;
}

browserTest(
  '[WC233] on a new instance, the owner invites by a link, and a guest is in the first channel after three taps, wide and on a phone',
  async () => {
    await using instance = await WebInstance.start({ toml: '' });
    const owner = await stranger();
    const { page } = owner;
    await page.goto(instance.ownerLink);
    await fillIn(owner, 'ada');
    await submit(owner);
    await page.getByText(home.none).waitFor();
    await page.getByRole('main').getByRole('link', { name: frame.create }).click();
    const dialog = page.getByRole('dialog', { name: create.title });
    await dialog.getByLabel(create.name).fill('Lantern Garden');
    const next = dialog.getByRole('button', { name: create.next });
    await next.click();
    await next.click();
    await dialog.getByLabel(create.slug).fill('garden');
    await dialog.getByLabel(create.channels).fill('general\ntools');
    await dialog.getByRole('button', { name: create.submit }).click();
    const done = page.getByRole('dialog', { name: create.doneTitle('Lantern Garden') });
    await done.getByRole('link', { name: create.enter }).click();
    await page.getByRole('heading', { name: 'general', exact: true }).waitFor();
    await page.goto(new URL('c/garden/settings/invites', instance.url).href);
    await page.getByRole('button', { name: invites.create }).click();
    const link = await page.getByLabel(invites.link, { exact: true }).inputValue();
    for (const [username, width] of [
      ['grace', 1280],
      ['henry', 390],
    ] as const) {
      const isPhone = width === 390;
      const viewport = { width, height: 800 };
      const guest = await stranger({
        viewport,
        ...(isPhone && { hasTouch: true, isMobile: true }),
      });
      const taps = await countTaps(guest);
      const tap = (name: string) => {
        const button = guest.page.getByRole('button', { name, exact: true });
        return isPhone ? button.tap() : button.click();
      };
      // The first tap is that on the link.
      await guest.page.goto(link);
      await tap(words.join('Lantern Garden'));
      await guest.page.getByText(register.invitedTo('Lantern Garden')).waitFor();
      expect(await control(guest.page, register.invite).count()).toBe(0);
      await fillIn(guest, username);
      const typed = taps();
      await tap(register.submitJoin);
      await guest.page.getByRole('heading', { name: 'general', exact: true }).waitFor();
      await guest.messageBox.waitFor();
      expect(pathOf(guest)).toMatch(/^\/c\/garden\/\d+$/);
      expect([typed, taps()]).toEqual([1, 2]);
      await accountButton(guest.page).waitFor();
      await guest.say(`good evening from ${username}`);
      await guest.reads(`good evening from ${username}`);
      await shot(guest, `invited-${username}`);
    }
  },
);

/** An instance with a community of ada's, and a new invite to it. */
async function withGarden(toml: string): Promise<{
  readonly instance: WebInstance;
  readonly ada: Client;
  readonly invite: (uses?: number) => Promise<string>;
  readonly tools: string;
}> {
  const instance = await WebInstance.start({ toml: `${toml}\n${GENEROUS_LIMITS}` });
  const ada = await connect(instance.url, { tokens: memoryTokens(), author: 'ada' });
  const code = new URL(instance.ownerLink).hash.slice('#invite='.length);
  const own = { username: 'ada', email: 'ada@lantern.example', password: PASSWORD };
  await ada.register({ ...own, invite: code });
  const { id } = await ada.communities.create({
    ...{ name: 'Lantern Garden', slug: 'garden', visibility: 'private' },
  });
  const about = { kind: 'messages', name: 'tools' } as const;
  const { id: tools } = await ada.communities.channels.create(id, about);
  const invite = async (uses?: number) => {
    const made = { channel_id: tools, ...(uses !== undefined && { max_uses: uses }) };
    return (await ada.communities.invites.create(id, made)).code;
  };
  return { instance, ada, invite, tools };
}

describe('an invite', () => {
  let made: Awaited<ReturnType<typeof withGarden>>;

  beforeAll(async () => {
    made = await withGarden('');
  });
  afterAll(() => made.instance[Symbol.asyncDispose]());

  const at = (path: string) => new URL(path, made.instance.url).href;

  browserTest(
    '[WC233] leads to its channel, by keyboard and in German, and Back leads to the card',
    async () => {
      const guest = await stranger({ locale: 'de-DE' });
      const { page } = guest;
      const found: Faults = {};
      await page.goto(at(`invite/${await made.invite()}`));
      const join = page.getByRole('button', { name: deCommunities.invite.join('Lantern Garden') });
      await join.waitFor();
      await lookAt(page, 'invite', found);
      await shot(guest, 'invite-german');
      await join.press('Enter');
      await page.getByText(deAccount.register.invitedTo('Lantern Garden')).waitFor();
      await page.goBack();
      await join.press('Enter');
      await page.getByText(deAccount.register.invitedTo('Lantern Garden')).waitFor();
      await lookAt(page, 'register', found);
      await shot(guest, 'register-german');
      await fillIn(guest, 'grete', deAccount.register);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'tools', exact: true }).waitFor();
      expect(pathOf(guest)).toBe(`/c/garden/${made.tools}`);
      expect(found).toEqual({});
    },
  );

  browserTest(
    '[WC234] its link is pasted into the form by hand, and a code that is used up says whom to ask',
    async () => {
      const code = await made.invite(1);
      const guest = await stranger();
      await guest.page.goto(at('register'));
      await fillIn(guest, 'helen');
      await control(guest.page, register.invite).fill(` ${at(`invite/${code}`)} `);
      await submit(guest);
      await guest.page.getByRole('heading', { name: 'tools', exact: true }).waitFor();
      const late = await stranger();
      await late.page.goto(at('register'));
      await fillIn(late, 'henrik');
      await control(late.page, register.invite).fill(code);
      await submit(late);
      await late.page.getByText(enAccount.field.invite).waitFor();
      await late.page.goto(at(`invite/${code}`));
      await late.page.getByText(words.goneText).waitFor();
      const found: Faults = {};
      await lookAt(late.page, 'gone', found);
      await shot(late, 'invite-gone');
      await late.page.getByRole('button', { name: words.tryToRegister }).click();
      await control(late.page, register.username).waitFor();
      expect(found).toEqual({});
    },
  );

  browserTest(
    '[WC233] somebody who signs in there joins, and so does somebody who is signed in, but nobody who is banned',
    async () => {
      const { ada, instance } = made;
      const code = await made.invite();
      const guest = await stranger();
      const garden = await ada.communities.bySlug('garden');
      const ida = await connect(instance.url, { tokens: memoryTokens(), author: 'ida' });
      const own = { username: 'ida', email: 'ida@lantern.example', password: PASSWORD };
      const { user } = await ida.register({ ...own, invite: code });
      await ida.communities.leave(garden.id);
      const { page } = guest;
      await page.goto(at(`invite/${code}`));
      await page.getByRole('link', { name: words.haveAccount }).click();
      await control(page, enAccount.signIn.identity).fill('ida');
      await control(page, enAccount.signIn.password).fill(PASSWORD);
      await submit(guest);
      const join = page.getByRole('button', { name: words.join('Lantern Garden') });
      await join.click();
      await page.getByRole('heading', { name: 'tools', exact: true }).waitFor();
      await page.goto(at(`invite/${code}`));
      await page.getByText(words.isMember).waitFor();
      await ada.communities.bans.set({ community_id: garden.id, user_id: user.id }, {});
      await page.goto(at(`invite/${code}`));
      // They are shown the same as if there were no such invite.
      await page.getByText(words.goneText).waitFor();
      expect(await page.getByRole('button', { name: words.tryToRegister }).count()).toBe(0);
    },
  );
});

browserTest(
  '[WC234] where accounts are approved and visitors read nothing, the question is asked, and the page says that the account waits, and joins when it is approved',
  async () => {
    const { instance, invite } = await withGarden(
      'lobby = "accounts"\nregistration = "approval"\nregistration_question = "Which bed do you weed?"',
    );
    await using _instance = instance;
    const guest = await stranger({ viewport: { width: 390, height: 800 } });
    const { page } = guest;
    await page.goto(new URL(`invite/${await invite()}`, instance.url).href);
    await page.getByText(words.approval).waitFor();
    await shot(guest, 'invite-approval');
    await page.getByRole('button', { name: words.join('Lantern Garden') }).click();
    await fillIn(guest, 'grace');
    await page.getByRole('button', { name: register.submitJoin }).click();
    await page.getByText(enAccount.field.missing).waitFor();
    await control(page, 'Which bed do you weed?').fill('The one with the figs');
    await page.getByRole('button', { name: register.submitJoin }).click();
    await page.getByText(register.pendingJoin('Lantern Garden')).waitFor();
    const found: Faults = {};
    await lookAt(page, 'waiting', found);
    await shot(guest, 'invite-waiting');
    expect(found).toEqual({});
  },
);

browserTest(
  '[WC234] an invite that registers nobody says whom to ask, and so does a server without new accounts',
  async () => {
    for (const [toml, text] of [
      ['community_invites_register = false', words.registersNobody],
      ['registration = "closed"', words.closed],
    ] as const) {
      const { instance, invite } = await withGarden(toml);
      await using _instance = instance;
      const guest = await stranger();
      const { page } = guest;
      await page.goto(new URL(`invite/${await invite()}`, instance.url).href);
      await page.getByText(text).waitFor();
      await page.getByRole('link', { name: words.signIn }).waitFor();
      const found: Faults = {};
      await lookAt(page, text, found);
      await shot(guest, `invite-${toml.replaceAll(/\W+/g, '-')}`);
      expect(found).toEqual({});
      await eventually(
        () => page.getByRole('button', { name: words.join('Lantern Garden') }).count(),
        0,
      );
    }
  },
);
