import { STAFF_PERMISSIONS } from '@hearth/protocol';
import {
  accountEventSchema,
  capabilitiesSchema,
  communityChangeSchema,
  profileEventSchema,
  userChangeSchema,
} from '@hearth/protocol/schemas';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { z } from 'zod';
import { ENVIRONMENT_OPTIONS } from '../src/config/environment-options.ts';
import { INSTANCE_OPTIONS } from '../src/config/instance-options.ts';
import type { OptionTree } from '../src/config/option.ts';
import { readAll, readRules, ROOT } from './support/spec-rules.ts';

const rules = await readRules();

async function read(file: string): Promise<string> {
  return await Bun.file(join(ROOT, file)).text();
}

/** The words in code of a text. */
function codeIn(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code));
}

/** The words in code in the first cell of each row of a text's tables. */
function namedInTables(text: string): ReadonlySet<string> {
  const cells = Array.from(text.matchAll(/^\|([^|\n]*)\|/gm), ([, cell = '']) => cell);
  return codeIn(cells.join('\n'));
}

function ruleOf(number: string): string {
  return rules.find((rule) => rule.number === number)?.text ?? '';
}

function missingFrom(found: ReadonlySet<string>, names: readonly string[]): readonly string[] {
  return names.filter((name) => !found.has(name));
}

/** The keys of the options of a tree, with those of their sections before them. */
function keysOf(tree: OptionTree, before = ''): readonly string[] {
  return Object.entries(tree).flatMap(([key, node]) =>
    node.kind === 'section' ? keysOf(node.options, `${before}${key}.`) : [before + key],
  );
}

/** The options of the documented interface, which the chapter lists in a sentence. */
const DOCUMENTED = [
  'instance_name',
  'description',
  'oprish.url',
  'oprish.message_limit',
  'pandemonium.url',
  'effis.url',
  'effis.file_size',
  'effis.attachment_file_size',
];

test('the chapter on configuration lists every option', async () => {
  const listed = namedInTables(await read('docs/spec/configuration.md'));
  const variables = Object.keys(ENVIRONMENT_OPTIONS).filter((name) => !name.startsWith('AWS_'));
  expect(missingFrom(listed, variables)).toEqual([]);
  const keys = keysOf(INSTANCE_OPTIONS).filter((key) => !/\brate_limits?\b/.test(key));
  const own = keys.filter((key) => !DOCUMENTED.includes(key));
  expect(keys.length - own.length).toBe(DOCUMENTED.length);
  expect(missingFrom(listed, own)).toEqual([]);
});

/** The names of the events in a schema. */
function eventsIn(schema: z.ZodType): ReadonlySet<string> {
  const json = JSON.stringify(z.toJSONSchema(schema));
  const names = json.matchAll(/"op":\{[^}]*"const":"(\w+)"/g);
  return new Set(Array.from(names, ([, op = '']) => op));
}

test('the tables of events have every event of gateway profile 2 that profile 1 does not have', async () => {
  const chapters = ['docs/spec/community-streams.md', 'docs/spec/gateway-profile-2.md'];
  const listed = namedInTables((await Promise.all(chapters.map(read))).join('\n'));
  const events = eventsIn(accountEventSchema).difference(eventsIn(profileEventSchema));
  expect(events.size).toBeGreaterThan(30);
  expect(missingFrom(listed, [...events])).toEqual([]);
});

test('the table of capabilities has every field', async () => {
  const listed = namedInTables(await read('docs/spec/rest.md'));
  expect(missingFrom(listed, Object.keys(capabilitiesSchema.shape))).toEqual([]);
});

test.each([
  ['AC13', Object.keys(userChangeSchema.shape).filter((name) => name !== 'current_password')],
  ['CO13', Object.keys(communityChangeSchema.shape)],
])('%s names every field that can be changed', (number, fields) => {
  expect(missingFrom(codeIn(ruleOf(number)), fields)).toEqual([]);
});

test('ER9 names every code of an UnauthorizedError', async () => {
  const sources = await readAll('packages/server/src/**/*.ts');
  const thrown = sources
    .filter(({ file }) => !file.endsWith('.test.ts'))
    .flatMap(({ text }) => Array.from(text.matchAll(/UnauthorizedError\('(\w+)'/g)));
  const codes = new Set(thrown.map(([, code = '']) => code));
  expect(codes.size).toBeGreaterThan(3);
  expect(missingFrom(codeIn(ruleOf('ER9')), [...codes])).toEqual([]);
});

test('the permissions of the staff are explained to owners', async () => {
  const listed = namedInTables(await read('docs/operate/accounts.md'));
  expect(missingFrom(listed, Object.keys(STAFF_PERMISSIONS))).toEqual([]);
});

test('the summary of the benchmarks counts the goals that the table has', async () => {
  const text = await read('docs/benchmarks.md');
  const reached = text.match(/ reached \|$/gm)?.length ?? 0;
  const missed = text.match(/ missed \|$/gm)?.length ?? 0;
  const [summary] = /^\d+ of \d+ goals are reached, and \d+ are missed/m.exec(text) ?? [];
  expect(summary).toBe(
    `${reached} of ${reached + missed} goals are reached, and ${missed} are missed`,
  );
});

test('the reserve of the data folder has the size that the documents name', async () => {
  const source = await read('packages/server/src/engines/disk-reserve.ts');
  const [, size] = /RESERVE_BYTES = (\d+) \* 1024 \*\* 2/.exec(source) ?? [];
  const [, explained] = /^\| `reserve` \| (\d+) MiB /m.exec(await read('ARCHITECTURE.md')) ?? [];
  const [, promised] = /a\s+reserve\s+of\s+(\d+)\s+MiB/.exec(ruleOf('OP43')) ?? [];
  expect([explained, promised]).toEqual([size, size]);
});

test('the README has at most 6 KB, two pictures and the two commands', async () => {
  const readme = await read('README.md');
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(6_000);
  expect(readme.match(/<img /g)).toHaveLength(2);
  for (const command of ['start', 'run test'])
    expect(readme).toContain(`npx --yes bun@1.4.5 ${command}`);
});

test.each([
  ['docs/README.md', 'docs/*.md'],
  ['docs/README.md', 'docs/operate/*.md'],
  ['docs/decisions/README.md', 'docs/decisions/2*.md'],
])('%s lists every page of %s', async (index, pages) => {
  const folder = index.slice(0, index.lastIndexOf('/') + 1);
  const listed = new Set(
    Array.from((await read(index)).matchAll(/\]\(([^)#]+)\)/g), ([, to]) => to),
  );
  const files = (await readAll(pages)).map(({ file }) => file).filter((file) => file !== index);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !listed.has(file.slice(folder.length)))).toEqual([]);
});
