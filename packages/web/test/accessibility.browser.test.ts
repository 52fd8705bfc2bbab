import { afterAll, beforeAll, expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
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

// accessibility.long.test.ts tries axe, and pages of all sizes.
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
