import { expect, test } from 'bun:test';
import { ForbiddenError, NetworkError } from '@hearth/sdk';
import { manualClock } from '@hearth/testing/manual-clock';
import { de } from '../text/de.ts';
import { en } from '../text/en.ts';
import { Formats } from '../text/formats.ts';
import { describeRefusal } from './describe-refusal.ts';
import { Refusals } from './refusals.ts';

const paused = new ForbiddenError('paused', { code: 'paused', reason: 'Dinner' });

test('[WC63] a refusal is shown until a message is accepted', async () => {
  using refusals = new Refusals(manualClock());
  await refusals.watch(Promise.reject(paused)).catch(() => {});
  expect(refusals.current.value).toMatchObject({ code: 'paused', reason: 'Dinner' });
  await refusals.watch(Promise.reject(new NetworkError('broken'))).catch(() => {});
  expect(refusals.current.value?.code).toBe('paused');
  expect(await refusals.watch(Promise.resolve(7))).toBe(7);
  expect(refusals.current.value).toBeUndefined();
});

test('[WC63] a refusal ends at its time', async () => {
  const clock = manualClock();
  using refusals = new Refusals(clock);
  const error = new ForbiddenError('banned', { code: 'banned', untilMs: clock.now() + 1000 });
  await refusals.watch(Promise.reject(error)).catch(() => {});
  expect(refusals.current.value?.code).toBe('banned');
  await clock.advance(1000);
  expect(refusals.current.value).toBeUndefined();
});

test('[WC63] what the instance says by itself replaces what attempts have shown', async () => {
  const clock = manualClock();
  using refusals = new Refusals(clock);
  refusals.announce('paused', { until: clock.now() + 1000, reason: 'Dinner' });
  expect(refusals.current.value).toEqual({
    code: 'paused',
    untilMs: clock.now() + 1000,
    reason: 'Dinner',
  });
  await clock.advance(1000);
  expect(refusals.current.value).toBeUndefined();
  await refusals.watch(Promise.reject(paused)).catch(() => {});
  refusals.announce('paused', undefined);
  expect(refusals.current.value).toBeUndefined();
});

test('[WC63] the sentence has the time and the reason if they are known', () => {
  const formats = new Formats('en-GB');
  const untilMs = Date.UTC(2026, 4, 4, 12);
  const at = formats.moment(untilMs);
  const describe = (text: typeof en, refusal: Parameters<typeof describeRefusal>[0]) =>
    describeRefusal(refusal, text, formats);
  const words = { untilMs, reason: 'Be kind.' };
  expect(describe(en, { code: 'banned', ...words })).toBe(
    `You are banned from this server until ${at}: Be kind.`,
  );
  expect(describe(en, { code: 'paused', untilMs: undefined, reason: undefined })).toBe(
    'Writing is paused for everyone.',
  );
  expect(describe(de, { code: 'paused', ...words })).toContain(`bis ${at}: Be kind.`);
});
