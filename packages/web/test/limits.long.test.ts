import { describe, expect } from 'bun:test';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { heldClock } from '@hearth/testing/held-clock';
import { en } from '../src/text/en.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { makePicture } from './support/picture.ts';
import { eventually, inAnyWords, Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { WebInstance } from './support/web-instance.ts';

/** Ten messages may be posted in five seconds. */
const MESSAGES = 14;
const PICTURES = 31;

/** As documented, except that nobody has to wait a minute. */
const WINDOW_SECONDS = 2;
const FEW_FILES = GENEROUS_LIMITS.replace(
  /^fetch_media = .*$/m,
  `fetch_media = { reset_after = ${WINDOW_SECONDS}, limit = 30 }`,
);

const browser = useBrowser();

describe('the documented limits', () => {
  browserTest(
    'delay messages that are sent too fast, which all arrive in order, and the page shows the wait',
    async () => {
      await using instance = await WebInstance.start({ toml: '' });
      const listener = await GatewayClient.connect(instance.addresses.gateway);
      const visit = await browser.emptyVisit();
      visit.expectFaults(/status of 429/);
      const grace = await Someone.enter(visit, instance);
      const expected = Array.from({ length: MESSAGES }, (_, i) => `fast ${i + 1}`);
      for (const text of expected) await grace.say(text);
      await grace.page.getByText(inAnyWords(en.composer.sendAgainIn)).first().waitFor();
      await grace.log.getByText(inAnyWords(en.conversation.waitingUntil)).first().waitFor();
      await grace.sees(/fast \d+/, expected);
      await listener.until(() => listener.received.length === expected.length);
      expect(listener.received.map((text) => JSON.parse(text).d.content)).toEqual(expected);
      await grace.log.locator('[data-delivery]').first().waitFor({ state: 'detached' });
      await grace.sees(/fast \d+/, expected);
      expect(await grace.button(en.conversation.tryAgain).count()).toBe(0);
      listener.close();
    },
  );

  browserTest('are not used up by the page, even if it is loaded five times in a row', async () => {
    await using instance = await WebInstance.start({ toml: '' });
    const visit = await browser.emptyVisit();
    const grace = await Someone.enter(visit, instance);
    await grace.say('still here');
    for (let i = 0; i < 4; i += 1) {
      await grace.page.reload();
      await grace.reads('still here');
    }
    await grace.say('and can write');
    await grace.reads('and can write');
    // As many as the documented gateway, and Hearth's history, allow in one window.
    expect(visit.requested.filter((url) => url.startsWith('ws:')).length).toBeLessThanOrEqual(5);
    const pages = visit.requested.filter((url) => url.includes('/messages?'));
    expect(pages.length).toBeLessThanOrEqual(20);
    expect(pages.length).toBeGreaterThanOrEqual(5);
  });
});

browserTest(
  'all pictures appear, even if there are more than may be fetched at a time',
  async () => {
    const clock = heldClock();
    await using instance = await WebInstance.start({ toml: FEW_FILES, clock });
    const addresses: string[] = [];
    for (let i = 0; i < PICTURES; i += 1)
      addresses.push(await instance.store(makePicture(i + 10), `picture ${i + 1}.png`));
    for (let i = 0; i < PICTURES; i += 8) await instance.post(addresses.slice(i, i + 8).join('\n'));
    const visit = await browser.visit({ viewport: { width: 1000, height: 4000 } });
    visit.expectFaults(/status of 429/);
    const grace = await Someone.enter(visit, instance);
    const loaded = () =>
      grace.log.evaluate(
        (log) =>
          [...log.querySelectorAll('img')].filter(
            (image) => image.complete && image.naturalWidth === 64,
          ).length,
      );
    await grace.log.getByText(inAnyWords(en.attachments.waiting)).first().waitFor();
    clock.release(WINDOW_SECONDS * 1_000);
    await eventually(loaded, PICTURES);
    expect(await grace.log.getByText(en.attachments.failed).count()).toBe(0);
  },
);
