import { describe, expect, test } from 'bun:test';
import { RATE_LIMITS_PATHS, underRateLimitsKeys } from './rate-limit-names.ts';
import {
  fileRateLimitSchema,
  instanceRateLimitsSchema,
  rateLimitSchema,
  type InstanceRateLimits,
} from './rate-limits.ts';

const plain = { reset_after: 5, limit: 2 };
const upload = { ...plain, file_size_limit: 30_000_000 };
const LIMITS: InstanceRateLimits = {
  oprish: {
    info: plain,
    message_create: plain,
    'rate limits': plain,
    rate_limits: plain,
    ratelimits: plain,
  },
  pandemonium: plain,
  effis: { assets: upload, attachments: upload, fetch_file: plain },
};

describe('[RL2] a limit', () => {
  test('has reset_after and limit, and file_size_limit as well where it is one on uploads', () => {
    expect(rateLimitSchema.parse(plain)).toEqual(plain);
    expect(fileRateLimitSchema.parse(upload)).toEqual(upload);
    expect(rateLimitSchema.parse(upload)).toEqual(plain);
    expect(fileRateLimitSchema.safeParse(plain).success).toBe(false);
  });

  test.each([0, -1, 0.5, '5', null, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    '[SV6] is whole and positive in each of its numbers, so never %p',
    (value) => {
      for (const field of ['reset_after', 'limit', 'file_size_limit']) {
        expect(fileRateLimitSchema.safeParse({ ...upload, [field]: value }).success).toBe(false);
      }
    },
  );
});

test('[RL1][RL3][RL4][RL5] the limits are those of the three components, each with its own keys', () => {
  expect(instanceRateLimitsSchema.parse(LIMITS)).toEqual(LIMITS);
  for (const part of ['oprish', 'pandemonium', 'effis'] as const) {
    const { [part]: _left, ...others } = LIMITS;
    expect(instanceRateLimitsSchema.safeParse(others).success).toBe(false);
  }
});

test('[LB8] the limit on the history may be among those of the REST service, which others do not have', () => {
  const { oprish, ...others } = LIMITS;
  const ours = { ...others, oprish: { ...oprish, message_list: plain } };
  expect(instanceRateLimitsSchema.parse(ours)).toEqual(ours);
  const wrong = { ...others, oprish: { ...oprish, message_list: { limit: 1 } } };
  expect(instanceRateLimitsSchema.safeParse(wrong).success).toBe(false);
});

test('[RL3][RL4][RS8] the third limit of the REST service has a space in its key, and two aliases', () => {
  expect(Object.keys(underRateLimitsKeys(1))).toEqual(['rate limits', 'rate_limits', 'ratelimits']);
  expect(RATE_LIMITS_PATHS).toEqual(['/rate_limits', '/ratelimits']);
});
