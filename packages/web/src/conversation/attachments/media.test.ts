import { expect, test } from 'bun:test';
import { Media, type MediaClient } from './media.ts';

const files: MediaClient['files'] = {
  ownUrl: (id) => `whole/${id}`,
  mediaUrl: (id, options) =>
    options?.size === undefined ? `media/${id}` : `media/${id}?size=${options.size}`,
};

const able = (features: string[]): MediaClient => ({
  files,
  capabilities: { features, limits: { media_sizes: [96, 400, 800, 1600] } },
});

test('[WC26][WC26a] a picture comes in the smallest size that has the pixels of its layout', () => {
  const media = new Media(able(['media']));
  expect([media.sizeFor(440), media.sizeFor(450), media.sizeFor(9_000)]).toEqual([400, 800, 1600]);
  expect([media.url('1', 400), media.url('1')]).toEqual(['media/1?size=400', 'media/1']);
});

test.each([
  ['offers nothing of ours', { files, capabilities: undefined }],
  ['has no media', able(['history'])],
])('an instance that %s serves whole files', (_, client) => {
  const media = new Media(client);
  expect([media.isServed, media.sizeFor(213), media.url('1')]).toEqual([
    false,
    undefined,
    'whole/1',
  ]);
});

test('[WC26] the largest version that was shown is known', () => {
  const media = new Media(able(['media']));
  expect(media.shownVersion('1')).toBeUndefined();
  for (const size of [800, 96]) media.markShown(media.url('1', size));
  expect(media.shownVersion('1')).toBe('media/1?size=800');
  expect([media.wasShown('media/1?size=800'), media.wasShown('media/1?size=400')]).toEqual([
    true,
    false,
  ]);
});
