import { expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { enAccount } from '../src/text/en/account.ts';
import { enCommunities } from '../src/text/en/communities.ts';
import { enCommunitySettings } from '../src/text/en/community-settings.ts';
import { fillIn, shot, stranger } from './support/invited.ts';
import { accountButton, control, submit } from './support/members.ts';
import type { Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { invite: words, create, home, frame } = enCommunities;
const { register } = enAccount;
const { invites } = enCommunitySettings;

const browser = useBrowser();

const pathOf = ({ page }: Someone) => new URL(page.url()).pathname;

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
  '[WC135b][WC233] on a new instance, the owner invites by a link, and a guest is in the first channel after three taps, wide and on a phone',
  async () => {
    await using instance = await WebInstance.start({ toml: '' });
    const owner = await stranger(browser);
    const { page } = owner;
    await page.goto(instance.ownerLink);
    await page.getByRole('heading', { name: register.ownerTitle }).waitFor();
    await shot(owner, 'invited-owner');
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
      const guest = await stranger(browser, {
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
