import { describe, expect, test } from 'bun:test';
import { listedRateLimit, listedRateLimits } from './listed-rate-limits.ts';
import {
  fileRateLimitSchema,
  instanceRateLimitsSchema,
  rateLimitSchema,
  type InstanceRateLimits,
  type RateLimitValues,
} from './rate-limit-schemas.ts';
import { RATE_LIMIT_NAMES, RATE_LIMITS, rateLimitKeys, type RateLimitName } from './rate-limits.ts';
import { RATE_LIMITS_PATHS } from './rate-limit-headers.ts';
import type { RateLimitKind } from './rate-limit-kind.ts';

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
  test('a limit has reset_after and limit, and for uploads file_size_limit too', () => {
    expect(rateLimitSchema.parse(plain)).toEqual(plain);
    expect(fileRateLimitSchema.parse(upload)).toEqual(upload);
    expect(rateLimitSchema.parse(upload)).toEqual(plain);
    expect(fileRateLimitSchema.safeParse(plain).success).toBe(false);
  });

  test.each([0, -1, 0.5, '5', null, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    '[SV6] consists of positive whole numbers, so none of them is %p',
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

test('[LB8] the REST service may list a limit on the history, which other servers do not have', () => {
  const { oprish, ...others } = LIMITS;
  const ours = { ...others, oprish: { ...oprish, message_list: plain } };
  expect(instanceRateLimitsSchema.parse(ours)).toEqual(ours);
  const wrong = { ...others, oprish: { ...oprish, message_list: { limit: 1 } } };
  expect(instanceRateLimitsSchema.safeParse(wrong).success).toBe(false);
});

test('[RL3][RL4][RS8] the third limit of the REST service has a space in its key, and two aliases', () => {
  expect(rateLimitKeys('rate_limits')).toEqual(['rate limits', 'rate_limits', 'ratelimits']);
  expect(RATE_LIMITS_PATHS).toEqual(['/rate_limits', '/ratelimits']);
});

describe.each(RATE_LIMIT_NAMES)('the limit %s', (name) => {
  const values = valuesThat((each) => ({ reset_after: 1, limit: each === name ? 7 : 1 }));
  const listed = listedRateLimits(values);

  test('the limit is listed under its own keys only, and found there', () => {
    expect(instanceRateLimitsSchema.parse(listed)).toEqual(listed);
    expect(listedRateLimit(listed, name)).toEqual(values[name]);
    const { section } = RATE_LIMITS[name];
    const { [section]: found, ...others } = listed;
    const sevens = Object.entries(found).filter(([, value]) => JSON.stringify(value).includes('7'));
    const keys = rateLimitKeys(name);
    expect(sevens.map(([key]) => key)).toEqual(keys.length === 0 ? ['limit'] : [...keys]);
    expect(JSON.stringify(others)).not.toContain('7');
  });

  test('the limit may be missing only if it is ours', () => {
    const { section, isOurs }: RateLimitKind = RATE_LIMITS[name];
    for (const key of rateLimitKeys(name)) {
      const { [key]: _left, ...rest }: Record<string, unknown> = listed[section];
      const parsed = instanceRateLimitsSchema.safeParse({ ...listed, [section]: rest });
      expect(parsed.success).toBe(isOurs === true);
    }
  });
});

/** Every limit with the values of `limitOf`, and with bytes if it counts them. */
function valuesThat(
  limitOf: (name: RateLimitName) => { reset_after: number; limit: number },
): RateLimitValues {
  const entries = RATE_LIMIT_NAMES.map((name) => {
    const countsBytes = 'file_size_limit' in RATE_LIMITS[name].defaults;
    return [name, { ...limitOf(name), ...(countsBytes ? { file_size_limit: 1 } : {}) }];
  });
  return Object.fromEntries(entries);
}
