import type { InstanceRateLimits } from '@hearth/protocol';
import { instanceRateLimitsSchema } from '@hearth/protocol/schemas';
import { beforeAll, describe, expect, test } from 'bun:test';
import { startTestInstance } from '@hearth/testing/instances/test-instance';

const CONFIGURED = `
[oprish.rate_limits]
info = { reset_after = 1, limit = 11 }
message_create = { reset_after = 2, limit = 12 }
message_list = { reset_after = 8, limit = 18 }
rate_limits = { reset_after = 3, limit = 13 }
[pandemonium]
rate_limit = { reset_after = 4, limit = 14 }
[effis.rate_limits]
assets = { reset_after = 5, limit = 15, file_size_limit = "25MB" }
attachments = { reset_after = 6, limit = 16, file_size_limit = "26MiB" }
fetch_file = { reset_after = 7, limit = 17 }
fetch_media = { reset_after = 8, limit = 18 }
`;

let defaults: InstanceRateLimits;
let configured: InstanceRateLimits;

beforeAll(async () => {
  [defaults, configured] = await Promise.all([limitsWith(''), limitsWith(CONFIGURED)]);
});

/** The limits of an instance that was started with this instance file. */
async function limitsWith(toml: string): Promise<InstanceRateLimits> {
  await using instance = await startTestInstance({ toml });
  const answer = await fetch(`${instance.addresses.rest}/rate_limits`);
  const answered: unknown = await answer.json();
  const limits = instanceRateLimitsSchema.parse(answered);
  // The schema would remove unknown fields.
  expect<unknown>(limits).toEqual(answered);
  return limits;
}

describe('[RL6] the limits in force', () => {
  test('the limits are those of the specification by default', () => {
    const listing = { reset_after: 5, limit: 2 };
    expect(defaults).toMatchObject({
      oprish: {
        info: { reset_after: 5, limit: 2 },
        message_create: { reset_after: 5, limit: 10 },
        message_list: { reset_after: 5, limit: 20 },
        'rate limits': listing,
        rate_limits: listing,
        ratelimits: listing,
      },
      pandemonium: { reset_after: 10, limit: 5 },
      effis: {
        assets: { reset_after: 60, limit: 5, file_size_limit: 30_000_000 },
        attachments: { reset_after: 180, limit: 20, file_size_limit: 500_000_000 },
        fetch_file: { reset_after: 60, limit: 30 },
        fetch_media: { reset_after: 60, limit: 600 },
      },
    });
  });

  test('the limits are the configured ones, sizes in bytes', () => {
    const listing = { reset_after: 3, limit: 13 };
    expect(configured).toMatchObject({
      oprish: {
        info: { reset_after: 1, limit: 11 },
        message_create: { reset_after: 2, limit: 12 },
        message_list: { reset_after: 8, limit: 18 },
        'rate limits': listing,
        rate_limits: listing,
        ratelimits: listing,
      },
      pandemonium: { reset_after: 4, limit: 14 },
      effis: {
        assets: { reset_after: 5, limit: 15, file_size_limit: 25_000_000 },
        attachments: { reset_after: 6, limit: 16, file_size_limit: 26 * 1024 ** 2 },
        fetch_file: { reset_after: 7, limit: 17 },
        fetch_media: { reset_after: 8, limit: 18 },
      },
    });
  });

  test('the limits are the configured ones, and those of the specification for the rest', async () => {
    const limits = await limitsWith('[effis.rate_limits.attachments]\nlimit = 3\n');
    const { attachments, ...others } = limits.effis;
    expect(attachments).toEqual({ reset_after: 180, limit: 3, file_size_limit: 500_000_000 });
    expect(others).toEqual({
      assets: defaults.effis.assets,
      fetch_file: defaults.effis.fetch_file,
      fetch_media: defaults.effis.fetch_media,
    });
    expect(limits.oprish).toEqual(defaults.oprish);
  });

  test('the limits are applied: a limit of 1 lets one request through', async () => {
    const toml = '[oprish.rate_limits]\nrate_limits = { reset_after = 60, limit = 1 }\n';
    await using instance = await startTestInstance({ toml });
    const answers = [1, 2].map(() => fetch(`${instance.addresses.rest}/rate_limits`));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});

test('[RL1] there are limits for the three components and nothing else', () => {
  expect(Object.keys(defaults)).toEqual(['oprish', 'pandemonium', 'effis']);
});

test('[RL2] a plain limit has two fields, and a limit on uploads has three', () => {
  const { oprish, pandemonium, effis } = configured;
  for (const limit of [
    ...Object.values(oprish),
    pandemonium,
    effis.fetch_file,
    effis.fetch_media,
  ]) {
    expect(Object.keys(limit ?? {})).toEqual(['reset_after', 'limit']);
  }
  for (const limit of [effis.assets, effis.attachments]) {
    expect(Object.keys(limit).toSorted()).toEqual(['file_size_limit', 'limit', 'reset_after']);
  }
});

test('[RL3] the REST service has a limit for each route, the third under a key with a space', () => {
  const { info, message_create, 'rate limits': listing } = configured.oprish;
  expect([info.limit, message_create.limit, listing.limit]).toEqual([11, 12, 13]);
});

test('[LB8] the limit on the history is one more key of the REST service', () => {
  expect(configured.oprish.message_list).toEqual({ reset_after: 8, limit: 18 });
});

test('[RL4] the third limit of the REST service also appears in the two other spellings', () => {
  const { 'rate limits': listing, rate_limits, ratelimits } = configured.oprish;
  expect([rate_limits, ratelimits]).toEqual([listing, listing]);
});

test('[RL5] the gateway has one limit and the file service three, and one of ours', () => {
  expect(Object.keys(configured.pandemonium)).toEqual(['reset_after', 'limit']);
  expect(Object.keys(configured.effis)).toEqual([
    ...['assets', 'attachments', 'fetch_file'],
    'fetch_media',
  ]);
});
