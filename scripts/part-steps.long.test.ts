/** Follows "Add a part to another feature" of ARCHITECTURE.md in a copy of the repository, and uses the part there. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { FollowedPage } from './followed-page.ts';

/** The page's own test, and tests that hold for any content of the tables and lists. */
const TESTS = [
  'packages/server/src/features/accounts/statuses/statuses.engine.test.ts',
  'packages/server/src/features/accounts/erasure/person-columns.test.ts',
  'packages/protocol/src/wire.test.ts',
  'packages/server/src/schema.engine.test.ts',
  'packages/protocol/src/descriptions/descriptions.test.ts',
  'packages/server/test/openapi.test.ts',
  'packages/server/test/spec-coverage.test.ts',
];

const page = new FollowedPage('Add a part to another feature');

beforeAll(() => page.follow());
afterAll(() => page[Symbol.asyncDispose]());

test('the page has six steps, in order', () => {
  const numbers = [...page.text.matchAll(/^\*\*(\d+)\. /gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6]);
});

test('the part edits no verb of its host, nor any other file of a feature, and only adds lines', () => {
  const changed = page.edits.filter(({ isNew }) => !isNew);
  const inFeatures = changed.filter(({ path }) => /\/features\/.*(?<!\.test)\.ts$/.test(path));
  expect(inFeatures).toEqual([]);
  expect(changed.flatMap(({ lines }) => lines).filter((line) => !/^[+ ]/.test(line))).toEqual([]);
});

test('the part is formatted', () => page.run('oxfmt', '--check', ...page.paths));

test('the part does not break any rule of the linter', () =>
  page.run('oxlint', '--type-aware', '--deny-warnings', ...page.paths));

test('the types are correct in all packages and in the tests that the page writes or changes', () =>
  page.checkTypes());

test('the tests of the page pass, and also those of the tables, the lists and the documentation', () =>
  page.run('bun', 'test', '--timeout=60000', ...TESTS));
