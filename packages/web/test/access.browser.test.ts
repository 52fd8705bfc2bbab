import { OWNER } from '../../server/src/actor.ts';
import { pause } from '../../server/src/features/moderation/pause.ts';
import { setAccessCode } from '../../server/src/features/moderation/set-access-code.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { expect } from 'bun:test';
import { en } from '../src/text/en.ts';
import { violationsOf } from './support/axe.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const CODE = 'k7mw+p3xd';
/** What Chromium prints to the console if a request is refused. */
const REFUSED = [/status of 403/];

const browser = useBrowser();

browserTest('[WC62] a page asks for the access code once, and an invite link has it', async () => {
  await using instance = await WebInstance.start();
  await asOwner(instance, (ctx) => setAccessCode(ctx, OWNER, CODE));
  const visit = await browser.emptyVisit();
  visit.expectFaults(...REFUSED);
  const grace = await Someone.arrive(visit, instance);
  const words = en.shell.accessCode;
  const box = grace.page.getByRole('textbox', { name: words.label });
  await box.fill('not-the-code');
  await box.press('Enter');
  await grace.page.getByRole('alert').getByText(words.wrong).waitFor();
  expect(await violationsOf(grace.page, 'all')).toEqual([]);
  await box.fill(CODE);
  await box.press('Enter');
  await grace.page.getByRole('textbox', { name: en.shell.welcome.nameLabel }).waitFor();
  await grace.comeIn('Grace');
  await grace.page.reload();
  await grace.waitUntilOnline();

  const other = await browser.emptyVisit();
  await other.page.goto(`${instance.url}#code=${encodeURIComponent(CODE)}`);
  await other.page.getByRole('textbox', { name: en.shell.welcome.nameLabel }).fill('Alan');
  await other.page.keyboard.press('Enter');
  await other.page.getByRole('textbox', { name: en.composer.label }).waitFor();
  expect(other.page.url()).toBe(instance.url);
});

browserTest('[WC63] a pause is explained above the message box', async () => {
  await using instance = await WebInstance.start();
  const visit = await browser.emptyVisit();
  visit.expectFaults(...REFUSED);
  const grace = await Someone.enter(visit, instance);
  const term = { reason: 'We are at dinner.' };
  await asOwner(instance, (ctx) => pause(ctx, OWNER, { what: ['posting'], term }));
  const sentence = `${en.shell.refusals.paused(undefined)}: ${term.reason}`;
  // A pause applies within a second.
  const body = '{"author":"Ada","content":"until it is paused"}';
  const post = () => fetch(`${instance.addresses.rest}/messages`, { method: 'POST', body });
  await eventually(async () => (await post()).status, 403);
  await grace.say('hello');
  await grace.log.getByText(sentence).waitFor();
  await grace.page.locator('.banner').getByText(sentence).waitFor();
  expect(await violationsOf(grace.page, 'all')).toEqual([]);
});
