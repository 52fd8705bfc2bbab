import { OWNER } from '../../server/src/actor.ts';
import { banClients, unban } from '../../server/src/features/accounts/moderation/bans.ts';
import { parseClientRange } from '../../server/src/client-range.ts';
import {
  pause,
  resume,
  setAccessCode,
} from '../../server/src/features/accounts/moderation/owner-restrictions.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { expect } from 'bun:test';
import { en } from '../src/text/en.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { eventually, inAnyWords, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const CODE = 'k7mw+p3xd';
/** The entries that Chromium prints to the console if a request is refused. */
const REFUSED = [/status of 403/];

const browser = useBrowser();

browserTest('[WC62] a page asks for the access code once, and an invite link has it', async () => {
  await using instance = await WebInstance.start();
  await asOwner(instance, (ctx) => setAccessCode(ctx, OWNER, CODE));
  const page = async () => (await fetch(instance.url)).text();
  await eventually(async () => (await page()).includes('"access_code":true'), true);
  const words = en.shell.accessCode;
  {
    // It asks for the code before the gateway has answered.
    await using early = await browser.visit();
    early.expectFaults(...REFUSED);
    await early.page.routeWebSocket(/./, () => {});
    await Someone.arrive(early, instance);
    await early.page.getByRole('textbox', { name: words.label }).waitFor();
  }
  const visit = await browser.emptyVisit();
  visit.expectFaults(...REFUSED);
  const grace = await Someone.arrive(visit, instance);
  const box = grace.page.getByRole('textbox', { name: words.label });
  await box.fill('not-the-code');
  await box.press('Enter');
  await grace.page.getByRole('alert').getByText(words.wrong).waitFor();
  expect(await violationsInBothThemes(grace.page)).toEqual([]);
  await box.fill(CODE);
  await box.press('Enter');
  await grace.page.getByRole('textbox', { name: en.shell.welcome.nameLabel }).waitFor();
  await grace.comeIn('Grace');
  await grace.page.reload();
  await grace.waitUntilOnline();
  // A wrong code does not take the place of the right one.
  await grace.page.goto(`${instance.url}#code=not-the-code`);
  await eventually(async () => grace.page.url(), instance.url);
  await grace.waitUntilOnline();

  const other = await browser.emptyVisit();
  await other.page.goto(`${instance.url}#code=${encodeURIComponent(CODE)}`);
  await other.page.getByRole('textbox', { name: en.shell.welcome.nameLabel }).fill('Alan');
  await other.page.keyboard.press('Enter');
  await other.page.getByRole('textbox', { name: en.composer.label }).waitFor();
  expect(other.page.url()).toBe(instance.url);

  await asOwner(instance, (ctx) => setAccessCode(ctx, OWNER, undefined));
  await eventually(async () => (await page()).includes('access_code'), false);
});

browserTest(
  '[WC63] a pause is shown to everyone at once, and also when the page opens',
  async () => {
    await using instance = await WebInstance.start();
    const visit = await browser.emptyVisit();
    visit.expectFaults(...REFUSED);
    const grace = await Someone.enter(visit, instance);
    const banner = grace.page.locator('.banner-warning');
    const term = { reason: 'We are at dinner.' };
    await asOwner(instance, (ctx) => pause(ctx, OWNER, { what: ['posting'], term }));
    const sentence = `${en.shell.refusals.paused(undefined)}: ${term.reason}`;
    await banner.getByText(sentence).waitFor();
    await grace.page.reload();
    await banner.getByText(sentence).waitFor();
    expect(await violationsInBothThemes(grace.page)).toEqual([]);
    await grace.say('hello');
    await grace.log.getByText(sentence).waitFor();
    await asOwner(instance, (ctx) => resume(ctx, OWNER, ['posting']));
    await banner.waitFor({ state: 'detached' });
    await grace.log.getByRole('button', { name: en.conversation.tryAgain }).click();
    await eventually(() => instance.contents(1), ['hello']);
  },
);

browserTest(
  '[WC63] a ban is shown to the reader at once, and also when the page opens',
  async () => {
    await using instance = await WebInstance.start();
    const visit = await browser.visit();
    const grace = await Someone.enter(visit, instance);
    const banner = grace.page.locator('.banner-warning');
    const term = { until: Date.now() + 3_600_000, reason: 'Be kind.' };
    await asOwner(instance, async (ctx) => {
      const range = parseClientRange('127.0.0.1');
      if (range !== undefined) await banClients(ctx, OWNER, { range, term });
    });
    const sentence = new RegExp(`${inAnyWords(en.shell.refusals.banned).source}: ${term.reason}`);
    await banner.getByText(sentence).waitFor();
    await grace.page.reload();
    await banner.getByText(sentence).waitFor();
    expect(await violationsInBothThemes(grace.page)).toEqual([]);
    // When the ban is over, the page offers to come back.
    await grace.page.clock.install({ time: term.until - 60_000 });
    await grace.page.reload();
    await banner.getByText(sentence).waitFor();
    await grace.page.clock.fastForward(60_000);
    await banner.getByText(en.shell.banner.closed).waitFor();
    await asOwner(instance, (ctx) => unban(ctx, OWNER, '127.0.0.1'));
    const body = '{"author":"Ada","content":"hello"}';
    const post = () => fetch(`${instance.addresses.rest}/messages`, { method: 'POST', body });
    await eventually(async () => (await post()).status, 200);
    await grace.button(en.shell.banner.reload).click();
    await grace.waitUntilOnline();
  },
);
