import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { connect, memoryTokens } from '@hearth/sdk';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { deAccount } from '../src/text/de/account.ts';
import { deCommunities } from '../src/text/de/communities.ts';
import { enAccount } from '../src/text/en/account.ts';
import { enCommunities } from '../src/text/en/communities.ts';
import { goTo } from './support/go-to.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { fillIn, shot, stranger, withGarden } from './support/invited.ts';
import { control, PASSWORD, submit } from './support/members.ts';
import { eventually, type Someone } from './support/someone.ts';

const { invite: words } = enCommunities;
const { register } = enAccount;

const browser = useBrowser();

const pathOf = ({ page }: Someone) => new URL(page.url()).pathname;

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
      const guest = await stranger(browser, { locale: 'de-DE' });
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
    '[WC135a][WC234] its link is pasted into the form by hand, and a code that is used up says whom to ask',
    async () => {
      const code = await made.invite(1);
      const guest = await stranger(browser);
      await guest.page.goto(at('register'));
      await fillIn(guest, 'helen');
      await control(guest.page, register.invite).fill(` ${at(`invite/${code}`)} `);
      await submit(guest);
      await guest.page.getByRole('heading', { name: 'tools', exact: true }).waitFor();
      const late = await stranger(browser);
      await late.page.goto(at('register'));
      await fillIn(late, 'henrik');
      await control(late.page, register.invite).fill(code);
      await submit(late);
      await late.page.getByText(enAccount.field.invite).waitFor();
      await goTo(late.page, `invite/${code}`);
      await late.page.getByText(words.goneText).waitFor();
      const found: Faults = {};
      await lookAt(late.page, 'gone', found);
      await shot(late, 'invite-gone');
      expect(found).toEqual({});
    },
  );

  browserTest(
    '[WC233][WC233a] somebody who signs in there joins, and so does somebody who is signed in, but nobody who is banned',
    async () => {
      const { ada, instance } = made;
      const code = await made.invite();
      const guest = await stranger(browser);
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
      // Without another tap.
      await page.getByRole('heading', { name: 'tools', exact: true }).waitFor();
      await goTo(page, `invite/${code}`);
      await page.getByText(words.isMember).waitFor();
      await ada.communities.bans.set({ community_id: garden.id, user_id: user.id }, {});
      await page.goto(at(`invite/${code}`));
      // They are shown the same as if there were no such invite.
      await page.getByText(words.goneText).waitFor();
    },
  );
});

browserTest(
  '[WC234][WC234a] where accounts are approved and visitors read nothing, the question is asked, and the page says that the account waits, and joins when it is approved',
  async () => {
    const { instance, invite } = await withGarden(
      'lobby = "accounts"\nregistration = "approval"\nregistration_question = "Which bed do you weed?"',
    );
    await using _instance = instance;
    const guest = await stranger(browser);
    const { page } = guest;
    await page.setViewportSize({ width: 390, height: 800 });
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
      ['community_invites_register = false', words.registersNobody('ada')],
      ['registration = "closed"', words.closed],
    ] as const) {
      const { instance, invite } = await withGarden(toml);
      await using _instance = instance;
      const guest = await stranger(browser);
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
