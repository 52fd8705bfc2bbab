import { tempFolder, type TempFolder } from '@hearth/testing/temp-folder';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unknownVariables } from './unknown-variables.ts';

let folder: TempFolder;

beforeEach(async () => {
  folder = await tempFolder();
});

afterEach(() => folder[Symbol.asyncDispose]());

const ELSE = 'hearth start --help lists the known ones';

test.each([
  ['OPRISH_PROT', 'did you mean OPRISH_PORT?'],
  ['OPRSIH_PORT', 'did you mean OPRISH_PORT?'],
  ['oprish_port', 'did you mean OPRISH_PORT?'],
  ['PANDEMONIUM_POTR', 'did you mean PANDEMONIUM_PORT?'],
  ['EFFIS_PORTS', 'did you mean EFFIS_PORT?'],
  ['EFIS_PORT', 'did you mean EFFIS_PORT?'],
  ['OPRISH_MESSAGE_LIMIT', ELSE],
  ['TOKENS_KEY_FILE', 'did you mean TOKEN_KEY_FILE?'],
  ['SMPT_URL', 'did you mean SMTP_URL?'],
  ['SMTP_URI', 'did you mean SMTP_URL?'],
  ['smtp_url', 'did you mean SMTP_URL?'],
  ['MAIL_FORM', 'did you mean MAIL_FROM?'],
  ['FROM_MAIL', 'did you mean MAIL_FROM?'],
  ['TRUSTED-PROXIES', 'did you mean TRUSTED_PROXIES?'],
  ['DATABASE_ULR', 'did you mean DATABASE_URL?'],
  ['HEARTH_LOG_LEVEL', 'did you mean LOG_LEVEL?'],
])('[CF13] the variable %s is reported: %s', (name, hint) => {
  expect(unknownVariables({ [name]: 'secret', PATH: '/bin' }, folder.path)).toEqual([
    `${name}: unknown variable, ${hint}`,
  ]);
});

test('[CF13] known variables, those of other programs and those of Kubernetes are not reported', () => {
  const names = [
    'OPRISH_PORT',
    'AWS_REGION',
    'PATH',
    'DATABASE_URLS',
    'DB_PORT',
    'PORT',
    'HOSTNAME',
    'X',
    'SMTP_SSL',
    'SMTP_HOST',
    'MAIL_FROM_NAME',
    'TOKEN_FILE',
    'KEY_FILE',
    'HSOT',
    'DATABASE_URI',
    'database_url',
    'LOG_LEVELS',
    'HEARTH_USER',
    'HEARTH_BACKUP_DIR',
  ];
  const service = ['EFFIS_SERVICE_HOST', 'EFFIS_PORT_7161_TCP', 'EFFIS_PORT_7161_TCP_ADDR'];
  const env = Object.fromEntries([...names, ...service].map((name) => [name, 'x']));
  expect(unknownVariables(env, folder.path)).toEqual([]);
});

test('[CF13] an unknown key of the .env file is reported, without its value', async () => {
  await dotenv(
    'DATABASE_ULR=postgres://secret\n# LOG=x\nexport OPRISH_PROT = 1\nMAIL="secret"\nHOST=::\n',
  );
  const env = { DATABASE_ULR: 'postgres://secret', OPRISH_PROT: '1', MAIL: 'secret', HOST: '::' };
  expect(unknownVariables(env, folder.path)).toEqual([
    '.env: DATABASE_ULR: unknown variable, did you mean DATABASE_URL?',
    '.env: OPRISH_PROT: unknown variable, did you mean OPRISH_PORT?',
    `.env: MAIL: unknown variable, ${ELSE}`,
  ]);
});

test('[CF13] a line inside a value is not a key of the .env file', async () => {
  const value = 'first line\nsecret=line\n';
  await dotenv(`AWS_SECRET_ACCESS_KEY="${value}"\n`);
  expect(unknownVariables({ AWS_SECRET_ACCESS_KEY: value }, folder.path)).toEqual([]);
});

test('[CF13] keys of the .env file that are for the runtime or for Compose are not reported', async () => {
  const names = ['NODE_ENV', 'BUN_CONFIG_X', 'TZ', 'NO_COLOR', 'https_proxy', 'SITE'];
  await dotenv(names.map((name) => `${name}=x\n`).join(''));
  expect(
    unknownVariables(Object.fromEntries(names.map((name) => [name, 'x'])), folder.path),
  ).toEqual([]);
});

test('[CF13] a .env that is not a file is not read', async () => {
  await mkdir(join(folder.path, '.env'));
  expect(unknownVariables({ MAIL: 'x' }, folder.path)).toEqual([]);
});

function dotenv(text: string): Promise<void> {
  return writeFile(join(folder.path, '.env'), text);
}
