import { expect, test } from 'bun:test';
import { valueColumns } from './value-columns.ts';

const CASES: readonly (readonly [string, readonly (string | undefined)[]])[] = [
  ['select * from users where id = $1 and name <> $2 limit $3', ['id', 'name', undefined]],
  ['select * from "users" as "u" where "u"."id" = ? and ? < "u"."version"', ['id', 'version']],
  ['select * from users where user_id in ($2,$3) and place = $1', ['place', 'user_id', 'user_id']],
  ['select * from users where "id" not in (?, ?)', ['id', 'id']],
  [
    'insert into "votes" ("user_id", "value") values (?, ?), (?, ?)',
    ['user_id', 'value', 'user_id', 'value'],
  ],
  ['insert into votes (user_id, value) select $1, $2 from given', ['user_id', 'value']],
  [
    'insert into "t" ("a", "b") values ($1, $2) on conflict ("a") do update set "b" = $3',
    ['a', 'b', 'b'],
  ],
  ['select id from posts where (rank, id) < ($1, $2)', ['rank', 'id']],
  ['select id from posts where ("a", "p"."id") in ((?, ?), (?, ?))', ['a', 'id', 'a', 'id']],
  [
    'delete from t where (a, b) in (values (cast(? as bigint), cast(? as text)), (cast(? as bigint), cast(? as text)))',
    ['a', 'b', 'a', 'b'],
  ],
  ['with given (id, n) as (values ($1,$2),($3,$4)) select * from given', ['id', 'n', 'id', 'n']],
  [
    'with given as (select * from unnest($1::text[],$2::bigint[]) as given (id,n)) select 1',
    ['id', 'n'],
  ],
  ['select s.id from (values ($1), ($2)) as s (id)', ['id', 'id']],
  [
    'update t set last_id = case when at < $1 then $2 else last_id end, n = n + $3 where id = $4',
    ['at', 'last_id', undefined, 'id'],
  ],
  [
    'update t set "rank" = case id when ? then ? when ? then ? else "rank" end',
    ['id', 'rank', 'id', 'rank'],
  ],
  ['select $1 as "kind", cast($2 as text) as other, "id" from t', ['kind', 'other']],
  ["select 'it''s = $9' from t where coalesce(t.name, '') = $1", ['name']],
  ['select 1 from t where id = coalesce($1, other_id)', ['id']],
  ['select 1 from t where (t.id = ? or (not t.name = ?))', ['id', 'name']],
  [
    'select 1 from t where id = any($1::text[]) and exists (select 1 from u where u.name like $2)',
    ['id', 'name'],
  ],
  [
    "insert into t (a, b, c) with r(i) as (select $1) select $2, 'x' || cast(i as text), $3 from r",
    [undefined, 'a', 'c'],
  ],
  ['select 1 from t where word between $1 and $2 and id = $3', ['word', 'word', 'id']],
  ["update t set value = value || $1 where name = ''", ['value']],
  [
    "select 1 from t where a_id || ':' || t.b_id = $1 and $2 < t.c_id || 'x'",
    [undefined, undefined],
  ],
];

test('the column of each value is that with which it is compared, in which it is stored, or its own name', () => {
  for (const [text, columns] of CASES) {
    expect(valueColumns(text), text).toEqual(columns);
  }
});
