import { parseId, type FoundAnywhere, type SearchFacets } from '@hearth/protocol';
import { firstIdAt, RateLimitedError, type FoundPage } from '@hearth/sdk';
import { manualClock } from '@hearth/testing/manual-clock';
import { expect, test } from 'bun:test';
import { EMPTY_FIELDS, askedBy, filtersIn, kindsIn, type AskedSearch } from './search-fields.ts';
import { Search, type FoundChange } from './search.ts';

const idOf = (number: number) => parseId(String(number)) ?? expect.unreachable();

const messageOf = (number: number, content = `no. ${number}`): FoundAnywhere => {
  const id = idOf(number);
  return { kind: 'messages', id, message: { id, author: 'ada', content, created_at: number } };
};

const pageOf = (numbers: readonly number[], isMore: boolean): FoundPage<FoundAnywhere> => {
  const entries = numbers.map((number) => messageOf(number));
  return { entries, next: isMore ? entries.at(-1)?.id : undefined };
};

const FACETS: SearchFacets = { total: 3, kinds: [], places: [], authors: [] };

/** A search whose answers are given, one after the other; an error is thrown. */
function searchIn(answers: (FoundPage<FoundAnywhere> | Error)[], counts: SearchFacets[] = []) {
  const asked: AskedSearch[] = [];
  const clock = manualClock();
  let report: ((number: number, change: FoundChange) => void) | undefined;
  const search = new Search(
    (change) => {
      report = (number, now) => change(idOf(number), now);
      return {
        find: async (each) => {
          asked.push(each);
          await Promise.resolve();
          const answer = answers.shift() ?? pageOf([], false);
          if (answer instanceof Error) throw answer;
          return answer;
        },
        count: () => {
          const count = counts.shift();
          return count === undefined ? Promise.reject(new Error('slow')) : Promise.resolve(count);
        },
        [Symbol.dispose]: () => {},
      };
    },
    clock,
    EMPTY_FIELDS,
  );
  const remove = (number: number) => report?.(number, () => undefined);
  const change = (number: number, content: string) =>
    report?.(number, () => messageOf(number, content));
  const ids = () => search.found.value.map(({ id }) => Number(id));
  return { search, asked, clock, ids, remove, change };
}

test('[WC47a] a search begins once nothing was typed for a moment, and only the last one counts', async () => {
  const { search, asked, clock, ids } = searchIn([pageOf([9, 8], true), pageOf([3], false)]);
  search.change({ text: 'good' });
  search.change({ text: 'good eve' });
  expect(asked).toEqual([]);
  await clock.advance(300);
  await Promise.resolve();
  expect(asked.map(({ text }) => text)).toEqual(['good eve']);
  await search.search();
  expect(ids()).toEqual([3]);
});

test('[WC47a] the next page follows the one before it', async () => {
  const { search, asked, ids } = searchIn([pageOf([9, 8], true), pageOf([3], false)]);
  await search.choose({ from: 'ada' });
  expect(search.state.value).toEqual({ state: 'done', isMore: true });
  await search.more();
  expect(asked[1]).toMatchObject({ from: 'ada', before: parseId('8') });
  expect([ids(), search.state.value]).toEqual([[9, 8, 3], { state: 'done', isMore: false }]);
});

test('[WC47a] the next page is of the words of the one before it, whatever was typed meanwhile', async () => {
  const { search, asked, ids } = searchIn([pageOf([9], true), pageOf([3], false)]);
  await search.choose({ text: 'tea' });
  search.change({ text: 'coffee' });
  await search.more();
  expect(asked.map(({ text }) => text)).toEqual(['tea', 'tea']);
  expect(ids()).toEqual([9, 3]);
});

test('[WC48b] the same search asks again for all that was found, which stays until then', async () => {
  const error = new RateLimitedError('slow', 3_000);
  const numbers = Array.from({ length: 60 }, (_, at) => 99 - at);
  const answers = [pageOf(numbers, true), error, pageOf([101, ...numbers], true), error, error];
  const { search, asked, ids } = searchIn(answers);
  await search.choose({ text: 'tea' });
  await search.search();
  expect([ids(), search.state.value]).toEqual([numbers, { state: 'failed', error }]);
  await search.more();
  expect(ids()).toEqual([101, ...numbers]);
  expect(asked.map(({ limit }) => limit)).toEqual([25, 60, 60]);
  const searching = search.choose({ text: 'coffee' });
  await search.search();
  await searching;
  expect([ids(), search.state.value]).toEqual([[], { state: 'failed', error }]);
});

test('[WC47a] what failed can be tried again, and what was found stays', async () => {
  const error = new RateLimitedError('slow', 3_000);
  const { search, ids } = searchIn([pageOf([9], true), error, pageOf([3], false)]);
  await search.choose({ has: 'link' });
  await search.more();
  expect([ids(), search.state.value]).toEqual([[9], { state: 'failed', error }]);
  await search.more();
  expect(ids()).toEqual([9, 3]);
});

test('[WC17] what is removed leaves what was found, and pages that are still loading', async () => {
  const error = new RateLimitedError('slow', 3_000);
  const { search, ids, remove } = searchIn([pageOf([9, 8], true), pageOf([5, 3], true), error]);
  await search.choose({ from: 'ada' });
  remove(9);
  expect(ids()).toEqual([8]);
  const loading = search.more();
  for (const number of [8, 5]) remove(number);
  await loading;
  expect(ids()).toEqual([3]);
  const failing = search.more();
  remove(3);
  await failing;
  expect([ids(), search.state.value]).toEqual([[], { state: 'failed', error }]);
});

test('[WC17] a change matters to what was found, and to a page that is still loading', async () => {
  const { search, change } = searchIn([pageOf([9], true), pageOf([8], false)]);
  await search.choose({ from: 'ada' });
  const { value: before } = search.found;
  change(8, 'changed 8');
  expect(search.found.value).toBe(before);
  await search.more();
  expect(search.found.value).toEqual([messageOf(9), messageOf(8)]);
});

test('[WC17] what is changed is found with its new text', async () => {
  const { search, change } = searchIn([pageOf([9, 8], true), pageOf([5], false)]);
  await search.choose({ from: 'ada' });
  change(8, 'changed 8');
  const loading = search.more();
  change(5, 'changed 5');
  await loading;
  const contents = search.found.value.map((found) => {
    return found.kind === 'messages' && found.message.content;
  });
  expect(contents).toEqual(['no. 9', 'changed 8', 'changed 5']);
});

test('[WC47c] facets are counted with the first page, stay until there are others, and are not necessary', async () => {
  const { search } = searchIn([pageOf([9], true), pageOf([8], false), pageOf([9], true)], [FACETS]);
  const searching = search.choose({ text: 'tea' });
  expect(search.isCounting.value).toBe(true);
  await searching;
  expect([search.facets.value, search.isCounting.value]).toEqual([FACETS, false]);
  await search.more();
  expect(search.facets.value).toEqual(FACETS);
  await search.choose({ kind: 'posts' });
  expect([search.facets.value, search.state.value]).toEqual([
    undefined,
    { state: 'done', isMore: true },
  ]);
});

test('[WC47] nothing is asked without a word, a name or a content, and days are whole days', () => {
  expect(askedBy({ ...EMPTY_FIELDS, text: ' ?! ', since: '2026-11-20' })).toBeUndefined();
  const day = new Date('2026-11-20T00:00:00').getTime();
  const next = new Date('2026-11-21T00:00:00').getTime();
  const fields = { ...EMPTY_FIELDS, text: ' tea ', since: '2026-11-20', until: '2026-11-20' };
  expect(askedBy(fields)).toEqual({
    in: 'all',
    text: 'tea',
    after: firstIdAt(day),
    before: firstIdAt(next),
  });
  expect(filtersIn(fields)).toBe(2);
});

test('[WC47b][WC47c] a place narrows a community, and a community everything', () => {
  const asked = (fields: object) => askedBy({ ...EMPTY_FIELDS, text: 'tea', ...fields });
  const community = idOf(1);
  expect(asked({})).toEqual({ in: 'all', text: 'tea' });
  expect(asked({ community })).toEqual({ community, text: 'tea' });
  expect(asked({ community, place: idOf(2), kind: 'comments' })).toEqual({
    ...{ in: idOf(2), kind: 'comments', text: 'tea' },
  });
});

test('[WC47c] kinds are those of the channels', () => {
  const kinds = (...all: readonly ('messages' | 'announcements' | 'posts')[]) =>
    kindsIn(all.map((kind) => ({ kind })));
  expect(kinds('messages')).toEqual(['messages']);
  expect(kinds('posts')).toEqual(['posts', 'comments']);
  expect(kinds('announcements', 'posts')).toEqual(['messages', 'posts', 'comments']);
});
