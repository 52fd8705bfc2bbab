import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BEHIND_PROXY, LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import { rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';

const TOML = `
[oprish.rate_limits]
info = { reset_after = 60, limit = 3 }
`;

let instance: TestInstance;
let rest: string;

beforeAll(async () => {
  instance = await startTestInstance({ toml: TOML, env: BEHIND_PROXY });
  ({ rest } = instance.addresses);
});

afterAll(() => instance[Symbol.asyncDispose]());

describe('a client', () => {
  const counted = async (address: string) =>
    limitHeaders(await new LimitedClient(address).get(rest)).requestCount;

  test('[LI7] a client is a /64 of IPv6 or an IPv4 address, even if that is mapped into IPv6', async () => {
    expect(await counted('2001:db8:7:7::1')).toBe(1);
    expect(await counted('2001:db8:7:7:ffff:ffff:ffff:ffff')).toBe(2);
    expect(await counted('2001:db8:7:8::1')).toBe(1);
    expect(await counted('::ffff:198.51.100.77')).toBe(1);
    expect(await counted('198.51.100.77')).toBe(2);
  });

  test('[LI8] a client is named by a trusted proxy, in any of the three headers', async () => {
    const count = async (...headers: string[]) =>
      limitHeaders(await rawRequest(rest, requestLines('GET', '/', ...headers))).requestCount;
    expect(
      await count('x-forwarded-for: 1.1.1.1, 198.51.100.78', 'x-forwarded-for: 127.0.0.1'),
    ).toBe(1);
    expect(await count('X-Forwarded-For: 2.2.2.2', 'X-Real-IP: 198.51.100.78')).toBe(2);
    expect(await count('X-Real-IP: 3.3.3.3', 'CF-CONNECTING-IP: 198.51.100.78')).toBe(3);
  });

  test('[LI8] a client cannot give itself another address if no proxy is trusted', async () => {
    await using open = await startTestInstance({ toml: TOML });
    const answers: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      answers.push((await new LimitedClient().get(open.addresses.rest)).status);
    }
    expect(answers).toEqual([200, 200, 200, 429]);
  });
});
