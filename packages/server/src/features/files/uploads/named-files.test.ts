import { named } from '@hearth/testing/instances/named';
import { openUploadContext, storeUpload } from '@hearth/testing/ports/upload-verbs';
import { expect, test } from 'bun:test';
import { growthOf, LINEAR } from '@hearth/testing/growth';
import { fileAddresses } from '../../../config/component-addresses.ts';
import { readEnvironment } from '../../../config/environment.ts';
import { parseInstanceFile } from '../../../config/instance-file.ts';
import { NamedFiles } from './named-files.ts';

/** The addresses of an instance that listens on `HOST`. */
function addressesOf(env: Readonly<Record<string, string>>, toml = ''): readonly string[] {
  const file = parseInstanceFile(named(toml), 'instance.toml');
  if (file.state !== 'read') throw new Error(`it is ${file.state}`);
  return fileAddresses({
    settings: file.settings,
    deployment: readEnvironment(env, '/srv').deployment,
  });
}

const PUBLIC = 'public_url = "https://chat.example"';

const CASES: readonly [
  host: string,
  toml: string,
  known: readonly string[],
  others: readonly string[],
][] = [
  [
    '0.0.0.0',
    '',
    [
      'http://127.0.0.1:7161/',
      'http://192.168.1.5:7161/',
      'http://nas.local:7161/attachments/',
      'http://192.168.1.5:7162/files/media/',
      'http://[fe80::1]:7162/files/',
      'http://[2001:db8::5]:7161/media/',
    ],
    [
      'http://192.168.1.5:7160/',
      'http://192.168.1.5:7162/',
      'https://192.168.1.5:7161/',
      'http://nas:71610/',
      'http://nas/',
      'http://nas/:7161/',
      'http://nas @x:7161/',
      'http://:7161/',
    ],
  ],
  ['::', '', ['http://localhost:7161/', 'http://[::1]:7162/files/'], ['http://nas:80/']],
  [
    '0.0.0.0',
    PUBLIC,
    ['https://chat.example/files/', 'http://127.0.0.1:7161/', 'http://127.0.0.1:7162/files/'],
    ['http://192.168.1.5:7161/', 'http://chat.example:7161/'],
  ],
  [
    '192.0.2.7',
    '',
    ['http://192.0.2.7:7161/', 'http://192.0.2.7:7162/files/'],
    ['http://192.0.2.8:7161/', 'http://nas:7162/files/'],
  ],
];

test.each(CASES)(
  '[OA12] a message has the files that it names by an address of an instance on %s (%s)',
  async (host, toml, known, others) => {
    await using ctx = await openUploadContext();
    const { id } = await storeUpload(ctx, 'x');
    const { database } = ctx;
    const namedFiles = new NamedFiles({
      database,
      fileAddresses: addressesOf({ HOST: host }, toml),
    });
    const found = await namedFiles.in(known.map((base) => `look: ${base}${id}.`));
    expect(found).toEqual(known.map(() => [expect.objectContaining({ id })]));
    expect(known.map((base) => namedFiles.without(`a ${base}${id} b`))).toEqual(
      known.map(() => 'a   b'),
    );
    expect(await namedFiles.in(others.map((base) => `look: ${base}${id}`))).toEqual(
      others.map(() => []),
    );
  },
);

test('[OA12] the port 80 is not written in addresses', async () => {
  await using ctx = await openUploadContext();
  const { id } = await storeUpload(ctx, 'x');
  const { database } = ctx;
  const addresses = addressesOf({ HOST: '0.0.0.0', WEB_PORT: '80' });
  const namedFiles = new NamedFiles({ database, fileAddresses: addresses });
  const texts = [`http://nas.local/files/${id}`, `http://nas.local/${id}`];
  expect(await namedFiles.in(texts)).toEqual([[expect.objectContaining({ id })], []]);
});

test('[OA12] the time for a text of many beginnings of addresses grows with its length only', async () => {
  await using ctx = await openUploadContext();
  const { database } = ctx;
  const namedFiles = new NamedFiles({ database, fileAddresses: addressesOf({ HOST: '0.0.0.0' }) });
  for (const text of ['http://', 'http://a', 'http://[::', ':7161/']) {
    const read = (size: number) =>
      expect(namedFiles.without(text.repeat(size)).length).toBeGreaterThan(0);
    expect([text, growthOf(read, 20_000) < LINEAR]).toEqual([text, true]);
  }
});
