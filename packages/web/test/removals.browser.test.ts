import type { LobbyMessage } from '@hearth/protocol';
import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { MOVING } from '@hearth/testing/browser/visit';
import { de } from '../src/text/de.ts';
import { en } from '../src/text/en.ts';
import { makePicture } from './support/picture.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser('shared', MOVING);
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
});

afterAll(() => instance[Symbol.asyncDispose]());

/** The gateway as a page has it, with events of the test among those of the instance. */
interface Gateway {
  emit(op: string, d: object): void;
}

async function between(page: Page): Promise<Gateway> {
  let emitted = 0;
  let position = 0;
  let send: (text: string) => void = () => undefined;
  await page.routeWebSocket(/./, (socket) => {
    send = (text) => socket.send(text);
    socket.connectToServer().onMessage((data) => {
      const event = JSON.parse(String(data));
      if (event.op === 'READY') [, position] = event.d.streams.lobby;
      if (event.t === 'lobby') position = event.s += emitted;
      send(JSON.stringify(event));
    });
  });
  return {
    emit(op, d) {
      emitted += 1;
      position += 1;
      send(JSON.stringify({ op, t: 'lobby', s: position, d }));
    },
  };
}

/** The newest messages of the history, the newest first. */
async function history(): Promise<readonly LobbyMessage[]> {
  return (await fetch(`${instance.addresses.rest}/messages?limit=100`)).json();
}

/** The message with this text. */
async function find(content: string): Promise<LobbyMessage> {
  const found = (await history()).find((message) => message.content === content);
  if (found === undefined) throw new Error(`nobody said "${content}"`);
  return found;
}

const SIZES = [
  ['a wide window', { width: 1280, height: 800 }],
  ['a narrow window', { width: 360, height: 640 }],
] as const;

describe.each(SIZES)('in %s,', (what, viewport) => {
  browserTest(
    '[WC17][WC17a] a removed message disappears, and its removal is announced once',
    async () => {
      const visit = await browser.visit({ viewport });
      const gateway = await between(visit.page);
      const grace = await Someone.enter(visit, instance, 'Grace');
      const text = (number: number) => `${what}: no. ${number}`;
      for (const number of [1, 2, 3]) await instance.post(text(number), 'Ada');
      await grace.say(text(4));
      await grace.reads(text(4));
      await grace.message(text(3)).waitFor();
      const heads = () => grace.log.getByText('Ada', { exact: true }).count();
      const before = await heads();
      // The first of a group, whose name goes to the next one; and one that was written here.
      gateway.emit('MESSAGE_DELETE', { id: (await find(text(1))).id });
      const announced = visit.page.getByRole('status').getByText(en.conversation.removed('Ada'));
      await announced.waitFor({ state: 'attached' });
      expect(await announced.count()).toBe(1);
      await grace.sees(/no\. \d/, ['no. 2', 'no. 3', 'no. 4']);
      expect(await heads()).toBe(before);
      gateway.emit('MESSAGE_DELETE', { id: (await find(text(4))).id });
      await grace.sees(/no\. \d/, ['no. 2', 'no. 3']);
      gateway.emit('MESSAGE_UPDATE', { ...(await find(text(2))), content: `${what}: no. 5` });
      await grace.sees(/no\. \d/, ['no. 5', 'no. 3']);
      await instance.post(text(6), 'Ada');
      await grace.sees(/no\. \d/, ['no. 5', 'no. 3', 'no. 6']);
      for (const number of [3, 6])
        gateway.emit('MESSAGE_DELETE', { id: (await find(text(number))).id });
      gateway.emit('MESSAGE_DELETE', { id: (await find(text(2))).id });
      await grace.sees(/no\. \d/, []);
    },
  );

  browserTest(
    '[WC17] the other visible messages stay in place when a message is removed',
    async () => {
      const visit = await browser.visit({ viewport });
      const gateway = await between(visit.page);
      for (let number = 1; number <= 60; number += 1) {
        await instance.post(
          `${what}: line ${number}${' and more words'.repeat(number % 9)}`,
          'Bob',
        );
      }
      const grace = await Someone.enter(visit, instance, 'Grace');
      await grace.log.getByText(/line 60\b/).waitFor();
      await grace.log.evaluate((log) => log.scrollBy({ top: -600, behavior: 'instant' }));
      const inView = () =>
        grace.log.evaluate((log) => {
          const { top, bottom } = log.getBoundingClientRect();
          const rows = Array.from(log.querySelectorAll('article'), (article) => ({
            text: article.querySelector('.message-text')?.textContent ?? '',
            top: Math.round(article.getBoundingClientRect().top),
            bottom: Math.round(article.getBoundingClientRect().bottom),
          }));
          return rows.filter((row) => row.bottom > top && row.top < bottom);
        });
      await settled(visit.page, inView);
      for (const index of [0, 1, 3]) {
        const before = await inView();
        const { text = '' } = before[index] ?? {};
        gateway.emit('MESSAGE_DELETE', { id: (await find(text)).id });
        await grace.message(text).waitFor({ state: 'detached' });
        const after = await settled(visit.page, inView);
        // The row below the removed one may have got the name and become higher.
        const kept = index === 0 ? before[1] : before[0];
        expect(after.find((row) => row.text === kept?.text)?.top).toBe(kept?.top ?? Number.NaN);
      }
      // Far above, out of view.
      const before = await inView();
      const first = Number(/line (\d+)/.exec(before[0]?.text ?? '')?.[1]);
      const far = `${what}: line ${first - 4}${' and more words'.repeat((first - 4) % 9)}`;
      gateway.emit('MESSAGE_DELETE', { id: (await find(far)).id });
      await eventually(async () => (await settled(visit.page, inView)).at(0), before[0]);
    },
  );
});

/** Returns the result of `read` once it is the same twice, two frames apart. */
async function settled<Value>(page: Page, read: () => Promise<Value>): Promise<Value> {
  let last = await read();
  await eventually(async () => {
    const before = last;
    // The page corrects what it shows in the next frame.
    await page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    });
    last = await read();
    return Bun.deepEquals(before, last);
  }, true);
  return last;
}

browserTest(
  '[WC17] a large picture closes when its message is removed, and the focus stays in the list',
  async () => {
    const visit = await browser.visit({ locale: 'de-DE' });
    const gateway = await between(visit.page);
    const address = await instance.store(makePicture(7), 'berge.png');
    await instance.post(address, 'Ada');
    const { id } = await find(address);
    const hilde = await Someone.arrive(visit, instance);
    await hilde.textBoxes.fill('Hilde');
    await hilde.textBoxes.press('Enter');
    await hilde.button(de.attachments.open('berge.png')).click();
    const dialog = visit.page.getByRole('dialog', { name: de.attachments.large('berge.png') });
    await dialog.waitFor();
    const online = `${de.shell.connection.label}: ${de.shell.connection.online}`;
    await visit.page.getByText(online).waitFor({ state: 'attached' });
    gateway.emit('MESSAGE_DELETE', { id });
    await dialog.waitFor({ state: 'detached' });
    const announced = visit.page.getByRole('status').getByText(de.conversation.removed('Ada'));
    await announced.waitFor({ state: 'attached' });
    await eventually(() => hilde.log.evaluate((log) => log === document.activeElement), true);
  },
);
