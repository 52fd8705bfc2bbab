import {
  listedRateLimit,
  listedRateLimits,
  RATE_LIMIT_HEADERS,
  RATE_LIMIT_NAMES,
  RATE_LIMITS,
  rateLimitKeys,
  type RateLimitKind,
} from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { rateLimitsOf, type InstanceSettings } from '../../../config/config.ts';
import { exampleInstanceFile } from '../../../config/example-files.ts';
import { parseInstanceFile } from '../../../config/instance-file.ts';
import { limitHeaders } from '../../../http/limited.ts';
import { limitPolicies } from '../../../engines/limit-policies.ts';
import { LIMIT_BUCKETS } from '../../../ports/limiter/limiter.ts';
import { memoryLimiter } from '../../../ports/limiter/memory.ts';

// A limit is one entry of the protocol's table. These tests name none, so they cover every limit that is added there.
describe.each(RATE_LIMIT_NAMES)('the limit %s of the table', (name) => {
  const { section, keys, counts, defaults }: RateLimitKind = RATE_LIMITS[name];
  const option = keys?.length === 0 ? `${section}.rate_limit` : `${section}.rate_limits.${name}`;
  const countsBytes = defaults.file_size_limit !== undefined;
  const configured = { reset_after: 3, limit: 7, ...(countsBytes ? { file_size_limit: 9 } : {}) };
  const lines = Object.entries(configured).map(([key, value]) => `${key} = ${value}`);
  const settings = read(`[${option}]\n${lines.join('\n')}\n`);

  test('the limit is an option with the defaults of the table, in the example file with what it counts', () => {
    expect(rateLimitsOf(read(''))[name]).toEqual(defaults);
    expect(rateLimitsOf(settings)[name]).toEqual(configured);
    expect(exampleInstanceFile().replaceAll('\n# ', ' ')).toContain(`${counts}.\n[${option}]\n`);
  });

  test('the limit is in GET /rate_limits as configured, and the others are unchanged', () => {
    const listed = listedRateLimits(rateLimitsOf(settings));
    expect(listedRateLimit(listed, name)).toEqual(configured);
    for (const other of RATE_LIMIT_NAMES.filter((each) => each !== name)) {
      expect(listedRateLimit(listed, other)).toEqual(RATE_LIMITS[other].defaults);
    }
  });

  test('the limit is in the table of the specification', async () => {
    const file = join(import.meta.dir, '../../../../../../docs/spec/rate-limits.md');
    const [key = section] = rateLimitKeys(name);
    const bytes = countsBytes ? `${Number(defaults.file_size_limit) / 1e6} MB` : '';
    const row = ['', `\`${key}\``, defaults.reset_after, defaults.limit, bytes, ''].join('|');
    const rows = (await Bun.file(file).text()).replaceAll(/ *\| */g, '|').split('\n');
    expect(
      rows.some((each) => each.includes(row)),
      `docs/spec/rate-limits.md needs the row ${row}`,
    ).toBe(true);
  });
});

test.each(LIMIT_BUCKETS)(
  'the limiter counts %s as configured, and headers report it',
  async (bucket) => {
    const { section, keys, defaults }: RateLimitKind = RATE_LIMITS[bucket];
    const option =
      keys?.length === 0 ? `${section}.rate_limit` : `${section}.rate_limits.${bucket}`;
    const policies = limitPolicies(read(`[${option}]\nreset_after = 3\nlimit = 1`));
    await using limiter = memoryLimiter(policies, fakeClock());
    const byteLimit = defaults.file_size_limit;
    expect(policies[bucket]).toEqual({
      resetAfterMs: 3_000,
      limit: 1,
      ...(byteLimit === undefined ? {} : { byteLimit }),
    });
    const verdicts = [await limiter.take(bucket, 'client'), await limiter.take(bucket, 'client')];
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, false]);
    const [verdict] = verdicts;
    const headers = verdict === undefined ? {} : limitHeaders(verdict.policy, verdict);
    expect(headers).toMatchObject({
      [RATE_LIMIT_HEADERS.max]: '1',
      [RATE_LIMIT_HEADERS.reset]: '3000',
    });
    expect(headers[RATE_LIMIT_HEADERS.byteMax]).toBe(byteLimit?.toString());
  },
);

test('the limiter counts every limit that a component counts', () => {
  const counted = RATE_LIMIT_NAMES.filter((name) => RATE_LIMITS[name].component !== 'nothing');
  expect<readonly string[]>(LIMIT_BUCKETS).toEqual(counted);
});

function read(text: string): InstanceSettings {
  const file = parseInstanceFile(`instance_name = "x"\n${text}`, 'instance.toml');
  if (file.state === 'mistaken') throw new Error(file.mistakes.join('\n'));
  return file.settings;
}
