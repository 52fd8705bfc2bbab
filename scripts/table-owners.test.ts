import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SERVER = join(import.meta.dirname, '..', 'packages/server/src');

/** Matches what writes to a table, with Kysely or in SQL. Code that the tables' description drives names no table. */
const WRITE =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*'(\w+)|\b(?:insert into|update|delete from|merge into) "?([a-z]\w*)/g;

interface Source {
  readonly file: string;
  readonly text: string;
}

const { stdout } = Bun.spawnSync(['git', 'ls-files', '*.ts'], { cwd: SERVER });
const sources: readonly Source[] = stdout
  .toString()
  .trim()
  .split('\n')
  .filter((file) => !/\.(?:test|contract)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(SERVER, file), 'utf8') }));

/** The folder of the feature or port of each table, by its name. */
const owners = new Map(
  sources
    .filter(({ file }) => file.endsWith('/tables.ts'))
    .flatMap(({ file, text }) =>
      Array.from(
        text.matchAll(/^ {2}(\w+): table\(\{/gm),
        ([, table = '']) => [table, dirname(file)] as const,
      ),
    ),
);

/** Writes to tables of others. */
function foreignWrites({ file, text }: Source): readonly string[] {
  return Array.from(text.matchAll(WRITE), ([, built, written]) => built ?? written ?? '').flatMap(
    (table) => {
      const owner = owners.get(table);
      const isOwn = owner === undefined || file.startsWith(`${owner}/`);
      return isOwn ? [] : [`${file} writes ${table} of ${owner}`];
    },
  );
}

test('a table is written by the feature that describes it, and by no other', () => {
  expect(owners.size).toBeGreaterThan(70);
  expect(sources.flatMap(foreignWrites)).toEqual([]);
});

test('writes are found in whichever way they are written', () => {
  const file = 'features/forum/posts/x.ts';
  const found = foreignWrites({
    file,
    text: `db.deleteFrom('users').where(…); sql\`insert into sessions (id) values (1)\`;
      db.updateTable('roles as r'); sql\`update "channels" set name = ''\`; db.insertInto('posts');`,
  });
  expect(found).toEqual([
    `${file} writes users of features/accounts/users`,
    `${file} writes sessions of features/accounts/sessions`,
    `${file} writes roles of features/communities/structure`,
    `${file} writes channels of features/communities/structure`,
  ]);
});
