import { expect, test } from 'bun:test';
import { COMPONENT_NAMES, type ComponentName } from './engine-types.ts';
import { missingUrls } from './missing-urls.ts';

const settings = {
  publicUrl: undefined,
  rest: { url: undefined },
  gateway: { url: 'wss://h' },
  files: { url: undefined },
};
const missing = (components: readonly ComponentName[]) => missingUrls({ settings, components });

test('[SC21] a process that sends addresses to clients names those of other processes that are not set', () => {
  expect(missing(['rest'])).toEqual(['effis.url']);
  expect(missing(['web'])).toEqual(['oprish.url', 'effis.url']);
  expect(missing(['rest', 'files'])).toEqual([]);
});

test('[SC21] a public address says it for all of them', () => {
  const known = { ...settings, publicUrl: 'https://chat.example' };
  expect(missingUrls({ settings: known, components: ['web'] })).toEqual([]);
});

test('[SC21] a process that sends no addresses, or has all components, needs none', () => {
  expect(missing(['gateway'])).toEqual([]);
  expect(missing(['files'])).toEqual([]);
  expect(missing(COMPONENT_NAMES)).toEqual([]);
});
