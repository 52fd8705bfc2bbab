import { FEATURES, type Capabilities } from '@hearth/protocol';
import { capabilitiesSchema } from '@hearth/protocol/schemas';
import { freePorts } from '@hearth/testing/free-ports';
import { fakeClock } from '@hearth/testing/fake-clock';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { expect, test } from 'bun:test';
import { join } from 'node:path';

/** The capabilities of an instance with this instance file. */
async function capabilitiesWith(
  toml: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Capabilities> {
  const [port = 0] = await freePorts(1);
  const variables = { OPRISH_PORT: String(port), ...env };
  await using _instance = await startTestInstance({ toml, env: variables });
  const answer = await fetch(`http://127.0.0.1:${port}/capabilities`);
  expect(answer.status).toBe(200);
  return capabilitiesSchema.strict().parse(await answer.json());
}

test('[RS9] the features include the history and the nonce', () => {
  expect(Object.keys(FEATURES)).toEqual(expect.arrayContaining(['history', 'nonce']));
});

test('[RS9] an instance lists its profiles, its features, who may take part and its limits', async () => {
  expect(await capabilitiesWith('')).toEqual({
    profiles: [0, 1, 2],
    features: Object.keys(FEATURES).filter((name) => name !== 'mail'),
    registration: 'invite',
    lobby: 'open',
    limits: {
      message_limit: 2048,
      nonce_limit: 64,
      page_limit: 100,
      file_size: 20_000_000,
      attachment_file_size: 100_000_000,
      media_sizes: [96, 400, 800, 1600],
    },
  });
});

test('[RS9] the limits are those that the owner configured', async () => {
  const { limits } = await capabilitiesWith(
    '[oprish]\nmessage_limit = 17\n[effis]\nfile_size = 12\nattachment_file_size = 345\n',
  );
  expect(limits).toMatchObject({ message_limit: 17, file_size: 12, attachment_file_size: 345 });
});

test('[RS9] the address of the web client is the public one, if that is configured', async () => {
  const { web_url: webUrl } = await capabilitiesWith('public_url = "https://chat.example.org/x"\n');
  expect(webUrl).toBe('https://chat.example.org/x');
});

test('[RS9] an instance that keeps no messages does not list the history', async () => {
  const { features } = await capabilitiesWith('[oprish.history]\nmessages = 0\n');
  expect(features).toEqual(
    Object.keys(FEATURES).filter(
      (name) => !['around', 'changes', 'history', 'mail', 'reactions', 'search'].includes(name),
    ),
  );
  expect(features).toContain('nonce');
});

test('[ML4] clients see in the features whether the instance sends mail', async () => {
  const env = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'home@example.org' };
  expect((await capabilitiesWith('', env)).features).toContain('mail');
});

test('[RS9][HT3][LI9] any page may read the capabilities, and the request counts in the limit read', async () => {
  await using instance = await startTestInstance({ toml: '', clock: fakeClock() });
  const url = `${instance.addresses.rest}/capabilities`;
  const answer = await fetch(url);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('x-ratelimit-max')).toBe('20');
  for (let count = 2; count <= 20; count += 1) await fetch(url);
  expect((await fetch(url)).status).toBe(429);
});

test('[RS9] the table of features in the specification has every feature', async () => {
  const file = join(import.meta.dirname, '../../../docs/spec/rest.md');
  const [, table = ''] = (await Bun.file(file).text()).split('## Features');
  const named = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect(named.toSorted(), 'The table of features in docs/spec/rest.md').toEqual(
    Object.keys(FEATURES).toSorted(),
  );
});
