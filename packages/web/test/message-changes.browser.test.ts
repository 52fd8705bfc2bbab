import { afterAll, beforeAll, expect } from 'bun:test';
import type { Client, Id } from '@hearth/sdk';
import type { Locator } from 'playwright-core';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { en } from '../src/text/en.ts';
import { enAccount } from '../src/text/en/account.ts';
import { violationsInBothThemes } from './support/axe.ts';
import { lookAt, type Faults } from './support/faults.ts';
import { KeptSignIns } from './support/kept-sign-ins.ts';
import { control, registerElsewhere } from './support/members.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const { reading } = en;
const { edit, remove, reactions } = enAccount;

const browser = useBrowser();
const signIns = new KeptSignIns(browser, /ERR_FAILED|Failed to load/);
let instance: WebInstance;
let ada: Client;
let grace: Someone;

beforeAll(async () => {
  instance = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await registerElsewhere(instance, 'ada');
  await registerElsewhere(instance, 'grace');
});

afterAll(async () => {
  await ada.close();
  await instance[Symbol.asyncDispose]();
});

/** Grace, who is signed in and has read what Ada said. */
async function enter(): Promise<void> {
  grace = await signIns.enter('grace', new URL('lobby', instance.url));
  await grace.waitUntilOnline();
}

const messageOf = (text: string): Locator =>
  grace.log.getByRole('article').filter({ hasText: text }).last();

async function choose(text: string, action: string): Promise<void> {
  await messageOf(text).click({ button: 'right' });
  await grace.page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function post(content: string): Promise<Id> {
  await ada.send(content);
  const [newest] = await ada.rest.listMessages({ limit: 1 });
  if (newest === undefined) throw new Error('there is no message');
  await grace.reads(content);
  return newest.id;
}

const chip = (text: string): Locator => messageOf(text).locator('.reaction').first();

browserTest(
  '[WC116][WC116a][WC360] authors change their messages in place, and what fails is not lost',
  async () => {
    await enter();
    const { page } = grace;
    const found: Faults = {};
    await grace.say('the soup is redy');
    await messageOf('the soup is redy').locator('.message-author').waitFor();
    await eventually(() => messageOf('redy').getAttribute('data-delivery'), null);
    await grace.messageBox.press('ArrowUp');
    const editor = page.getByRole('textbox', { name: edit.label });
    await editor.waitFor();
    expect(await editor.inputValue()).toBe('the soup is redy');
    await lookAt(page, 'editor', found);
    await editor.fill('x'.repeat(2_049));
    await page.getByText(edit.tooLong('1')).waitFor();
    await page.route('**/messages/*', (route) => route.abort());
    await editor.fill('the soup is ready');
    // As Safari reports the keys that end a composition.
    for (const key of ['Escape', 'Enter']) {
      await editor.dispatchEvent('keydown', { key, keyCode: 229 });
      expect(await editor.inputValue()).toBe('the soup is ready');
    }
    await editor.press('Enter');
    await page.getByText(edit.notSaved(en.shell.errors.network)).waitFor();
    expect(await editor.inputValue()).toBe('the soup is ready');
    await page.unroute('**/messages/*');
    await editor.press('Enter');
    await grace.reads('the soup is ready');
    await messageOf('the soup is ready').getByText(reading.edited).waitFor();
    await grace.messageBox.press('ArrowUp');
    await editor.fill('something else');
    await editor.press('Escape');
    await grace.reads('the soup is ready');
    const id = await post('what others say');
    await messageOf('what others say').click({ button: 'right' });
    const menu = page.getByRole('menu');
    await menu.waitFor();
    for (const name of [reading.edit, reading.remove])
      expect(await menu.getByRole('menuitem', { name, exact: true }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await ada.rest.changeMessage({ id, content: 'what others meant' });
    await messageOf('what others meant').getByText(reading.edited).waitFor();
    expect(found).toEqual({});
  },
);

browserTest('[WC117] messages are deleted after a question', async () => {
  await enter();
  const { page } = grace;
  const found: Faults = {};
  await grace.say('never mind');
  await eventually(() => messageOf('never mind').getAttribute('data-delivery'), null);
  await choose('never mind', reading.remove);
  const dialog = page.getByRole('dialog', { name: remove.title });
  await dialog.getByText('never mind').waitFor();
  await lookAt(page, 'question', found);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await grace.reads('never mind');
  await choose('never mind', reading.remove);
  await dialog.getByRole('button', { name: remove.confirm }).click();
  await grace.message('never mind').waitFor({ state: 'detached' });
  expect(found).toEqual({});
});

browserTest('[WC118] people react to messages, and everyone sees who', async () => {
  await enter();
  const { page } = grace;
  const found: Faults = {};
  const id = await post('who brings bread?');
  await ada.rest.addReaction({ id, emoji: '❤️' });
  await chip('who brings bread?').getByText('1').waitFor();
  await chip('who brings bread?').click();
  await chip('who brings bread?').getByText('2').waitFor();
  await eventually(() => chip('who brings bread?').getAttribute('aria-pressed'), 'true');
  await eventually(async () => (await ada.rest.listReacted({ id, emoji: '❤️' })).length, 2);
  await lookAt(page, 'reactions', found);
  await choose('who brings bread?', reading.reactions);
  const dialog = page.getByRole('dialog', { name: reactions.title });
  await dialog.getByText('@ada').waitFor();
  await dialog.getByText('@grace').waitFor();
  await lookAt(page, 'people', found);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await ada.rest.removeReaction({ id, emoji: '❤️' });
  await chip('who brings bread?').getByText('1').waitFor();
  await chip('who brings bread?').click();
  await messageOf('who brings bread?').locator('.reactions').waitFor({ state: 'detached' });
  await choose('who brings bread?', reading.react);
  const picker = page.getByRole('dialog', { name: en.composer.emoji });
  await control(page, en.composer.emojiSearch).fill('thumbsup');
  found['picker'] = await violationsInBothThemes(page);
  await picker.locator('.emoji').first().click();
  await chip('who brings bread?').getByText('1').waitFor();
  await eventually(async () => (await ada.rest.listReacted({ id, emoji: '👍' })).length, 1);
  await page.reload();
  await eventually(() => chip('who brings bread?').getAttribute('aria-pressed'), 'true');
  expect(found).toEqual({ picker: [] });
});

browserTest(
  '[WC118][WC120] visitors see reactions, and names of accounts have a mark and lead to profiles',
  async () => {
    await enter();
    const id = await post('look at the lanterns');
    await ada.rest.addReaction({ id, emoji: '🏮' });
    const visitor = await Someone.enter(await browser.emptyVisit(), instance, 'Visitor');
    const message = visitor.log.getByRole('article').filter({ hasText: 'lanterns' }).last();
    await message.getByRole('img', { name: reading.reaction('🏮', 1, false) }).waitFor();
    expect(await message.getByRole('button', { name: reading.react }).count()).toBe(0);
    await fetch(`${instance.addresses.rest}/messages`, {
      method: 'POST',
      body: JSON.stringify({ author: 'deleted', content: 'I am a guest' }),
    });
    const guest = visitor.log.getByRole('article').filter({ hasText: 'I am a guest' });
    await guest.getByText('deleted').waitFor();
    expect(await guest.getByRole('img', { name: en.conversation.hasAccount }).count()).toBe(0);
    expect(await guest.getByText(en.conversation.accountDeleted).count()).toBe(0);
    const marks = visitor.log.getByRole('img', { name: en.conversation.hasAccount });
    await marks.last().waitFor();
    // Its head is above the first message of the group.
    await visitor.log.locator('.message-author[title="@ada"]').last().click();
    await visitor.page.getByRole('dialog', { name: enAccount.user.title }).waitFor();
    expect(new URL(visitor.page.url()).pathname).toBe('/u/ada');
  },
);
