import { afterAll, beforeAll, expect } from 'bun:test';
import { violationsInBothThemes } from './support/axe.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { layoutFaultsOfStates, throughStates } from './support/page-states.ts';
import { postShowcase } from './support/showcase.ts';
import { eventually, Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
  await postShowcase(instance);
});

afterAll(() => instance[Symbol.asyncDispose]());

// accessibility.long.test.ts tries other languages and sizes.
browserTest('axe finds no fault in any state, light and dark', async () => {
  const someone = await Someone.arrive(await browser.visit({ colorScheme: 'light' }), instance);
  const found: Record<string, readonly string[]> = {};
  await throughStates(someone, async (state) => {
    const violations = await violationsInBothThemes(someone.page);
    if (violations.length > 0) found[state] = violations;
  });
  expect(found).toEqual({});
});

browserTest(
  'a page that is 320 pixels wide needs no sideways scrolling, and its controls are large enough',
  async () => {
    const options = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
    const someone = await Someone.arrive(await browser.visit(options), instance);
    expect(await layoutFaultsOfStates(someone)).toEqual({});
  },
);

browserTest('new messages are announced, except own ones', async () => {
  const someone = await Someone.enter(await browser.emptyVisit(), instance);
  await someone.reads('the end of the showcase');
  await eventually(() => someone.log.getAttribute('aria-live'), 'polite');
  await someone.say('my own words');
  await someone.reads('my own words');
  const own = someone.log.getByRole('article').filter({ hasText: 'my own words' });
  expect(await own.getAttribute('aria-live')).toBe('off');
  await instance.post('the words of others', 'Alan');
  await someone.reads('the words of others');
  const others = someone.log.getByRole('article').filter({ hasText: 'the words of others' });
  expect(await others.getAttribute('aria-live')).not.toBe('off');
  expect(await others.getAttribute('aria-label')).toContain('Alan');
});
