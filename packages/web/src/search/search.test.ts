import { parseId } from '@hearth/protocol';
import {
  firstIdAt,
  RateLimitedError,
  type ClientEvents,
  type SearchPage,
  type SearchQuery,
} from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { manualClock } from '@hearth/testing/manual-clock';
import { excerptOf, foundIn, markedIn, searchedText } from './excerpt.ts';
import { EMPTY_FIELDS, filtersIn, kindsIn, queryOf } from './search-fields.ts';
import { Search } from './search.ts';

const idOf = (number: number) => parseId(String(number)) ?? expect.unreachable();

const pageOf = (numbers: readonly number[], isMore: boolean): SearchPage => {
  const messages = numbers.map((number) => ({
    id: idOf(number),
    author: 'ada',
    content: `no. ${number}`,
    created_at: number,
  }));
  return { messages, next: isMore ? messages.at(-1)?.id : undefined };
};

/** A search whose answers are given, one after the other; an error is thrown. */
function searchIn(answers: (SearchPage | Error)[]) {
  const asked: SearchQuery[] = [];
  const clock = manualClock();
  const listeners = new Set<readonly [name: string, listener: (event: never) => void]>();
  const search = new Search(
    {
      on: (name, listener) => {
        const each = [name, listener] as const;
        listeners.add(each);
        return () => listeners.delete(each);
      },
      search: async (query) => {
        asked.push(query);
        await Promise.resolve();
        const answer = answers.shift() ?? pageOf([], false);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    clock,
    {
      name: () => 'Garden',
      kinds: () => ['messages', 'posts', 'comments'],
      search: async (kind, query) => {
        asked.push({ ...query, from: `everywhere in ${kind}` });
        return pageOf([9], false);
      },
    },
  );
  const emit = <Name extends 'messageDelete' | 'messageUpdate'>(
    name: Name,
    event: ClientEvents[Name],
  ) => {
    // Guarantee: the listeners of a name take its events.
    for (const [each, listener] of listeners) if (each === name) listener(event as never);
  };
  const ids = () => search.found.value.map(({ id }) => Number(id));
  return { search, asked, clock, ids, emit };
}

test('[WC47][WC47a] a search begins once nothing was typed for a moment, and only the last one counts', async () => {
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

test('[WC47] the next page follows the one before it', async () => {
  const { search, asked, ids } = searchIn([pageOf([9, 8], true), pageOf([3], false)]);
  search.change({ from: 'ada' });
  await search.search();
  expect(search.state.value).toEqual({ state: 'done', isMore: true });
  await search.more();
  expect(asked[1]).toMatchObject({ from: 'ada', before: parseId('8') });
  expect([ids(), search.state.value]).toEqual([[9, 8, 3], { state: 'done', isMore: false }]);
});

test('[WC47][WC47a] what failed can be tried again, and what was found stays', async () => {
  const error = new RateLimitedError('slow', 3_000);
  const { search, ids } = searchIn([pageOf([9], true), error, pageOf([3], false)]);
  search.change({ has: 'link' });
  await search.search();
  await search.more();
  expect([ids(), search.state.value]).toEqual([[9], { state: 'failed', error }]);
  await search.more();
  expect(ids()).toEqual([9, 3]);
});

test('[WC17] what is removed leaves what was found, and pages that are still loading', async () => {
  const error = new RateLimitedError('slow', 3_000);
  const { search, ids, emit } = searchIn([pageOf([9, 8], true), pageOf([5, 3], true), error]);
  search.change({ from: 'ada' });
  await search.search();
  emit('messageDelete', { id: idOf(9) });
  expect(ids()).toEqual([8]);
  const loading = search.more();
  for (const number of [8, 5]) emit('messageDelete', { id: idOf(number) });
  await loading;
  expect(ids()).toEqual([3]);
  const failing = search.more();
  emit('messageDelete', { id: idOf(3) });
  await failing;
  expect([ids(), search.state.value]).toEqual([[], { state: 'failed', error }]);
});

test('[WC17] what is changed is found with its new text', async () => {
  const { search, emit } = searchIn([pageOf([9, 8], true), pageOf([5], false)]);
  const reply = () => expect.unreachable();
  const change = (number: number) =>
    emit('messageUpdate', {
      id: idOf(number),
      author: 'ada',
      content: `changed ${number}`,
      isOwn: false,
      reply,
      edit: reply,
      delete: reply,
      react: reply,
      unreact: reply,
    });
  search.change({ from: 'ada' });
  await search.search();
  change(8);
  const loading = search.more();
  change(5);
  await loading;
  const contents = search.found.value.map(({ content }) => content);
  expect(contents).toEqual(['no. 9', 'changed 8', 'changed 5']);
});

test('[WC47] nothing is asked without a word, a name or a kind, and days are whole days', () => {
  expect(queryOf({ ...EMPTY_FIELDS, text: ' ?! ', since: '2026-11-20' })).toBeUndefined();
  const day = new Date('2026-11-20T00:00:00').getTime();
  const next = new Date('2026-11-21T00:00:00').getTime();
  expect(
    queryOf({ ...EMPTY_FIELDS, text: ' tea ', since: '2026-11-20', until: '2026-11-20' }),
  ).toEqual({
    text: 'tea',
    after: firstIdAt(day),
    before: firstIdAt(next),
  });
});

test('[WC48] an excerpt shows the first hit, marks all of them, and is bounded', () => {
  const text = `${'before '.repeat(40)}tea and tea ${'after '.repeat(80)}`;
  const at = text.indexOf('tea');
  const parts = excerptOf(text, [
    { start: at, end: at + 3 },
    { start: at + 8, end: at + 11 },
  ]);
  const marked = parts.filter(({ isMarked }) => isMarked).map((part) => part.text);
  const whole = parts.map((part) => part.text).join('');
  expect(marked).toEqual(['tea', 'tea']);
  expect([whole.at(0), whole.at(-1), whole.length < 250]).toEqual(['…', '…', true]);
  expect(excerptOf('tea', [{ start: 0, end: 3 }])).toEqual([{ text: 'tea', isMarked: true }]);
  expect(excerptOf('', [])).toEqual([]);
});

test('[WC48] an excerpt is of the plain text, and hides spoilers', () => {
  expect(searchedText('**tea** at `five`, ||not coffee||', 'tea')).toBe('tea at five, ▇▇▇');
  expect(searchedText('||tea||', 'tea')).toBe('▇▇▇');
  expect(searchedText('look: https://example.org/tea', 'tea')).toBe(
    'look: https://example.org/tea',
  );
  expect(searchedText('https://example.org/tea', '')).toBe('https://example.org/tea');
  expect(searchedText('', '')).toBe('');
});

test('[WC176] the whole community is searched if the reader wants that, and then the channel again', async () => {
  const { search, asked, ids } = searchIn([pageOf([1], false)]);
  search.change({ text: 'tea', where: 'wider' });
  await search.search();
  expect(ids()).toEqual([9]);
  search.change({ where: '' });
  await search.search();
  expect(ids()).toEqual([1]);
  expect(asked.map(({ from }) => from)).toEqual(['everywhere in messages', undefined]);
});

test('[WC213] another kind is searched at once, in the whole community, for the same words', async () => {
  const { search, asked, ids } = searchIn([pageOf([1], false)]);
  search.change({ text: 'tea' });
  await search.search();
  search.change({ kind: 'comments' });
  expect([ids(), search.fields.value.text]).toEqual([[], 'tea']);
  await Promise.resolve();
  await Promise.resolve();
  expect(ids()).toEqual([9]);
  expect(asked.map(({ text, from }) => [text, from])).toEqual([
    ['tea', undefined],
    ['tea', 'everywhere in comments'],
  ]);
});

test('[WC213] the same fields are not searched again', async () => {
  const { search, asked, clock } = searchIn([pageOf([1], false)]);
  const fields = { ...EMPTY_FIELDS, text: 'tea' };
  search.show(fields);
  await clock.advance(300);
  search.show(fields);
  await clock.advance(300);
  expect(asked.length).toBe(1);
});

test('[WC213] kinds are those of the channels, and comments have no files', () => {
  const kinds = (...all: readonly ('messages' | 'announcements' | 'posts')[]) =>
    kindsIn(all.map((kind) => ({ kind })));
  expect(kinds('messages')).toEqual(['messages']);
  expect(kinds('posts')).toEqual(['posts', 'comments']);
  expect(kinds('announcements', 'posts')).toEqual(['messages', 'posts', 'comments']);
  const fields = { ...EMPTY_FIELDS, text: 'tea', has: 'file' } as const;
  expect([queryOf(fields), filtersIn(fields)]).toEqual([{ text: 'tea', has: 'file' }, 1]);
  const ofComments = { ...fields, kind: 'comments' } as const;
  expect([queryOf(ofComments), filtersIn(ofComments)]).toEqual([{ text: 'tea' }, 0]);
});

test('[WC212][WC212a] found words are marked in a whole text, and in the part of a text where they are', () => {
  const marked = (parts: ReturnType<typeof markedIn>) =>
    parts.filter(({ isMarked }) => isMarked).map(({ text }) => text);
  const whole = (parts: ReturnType<typeof markedIn>) => parts.map(({ text }) => text).join('');
  const title = markedIn('Tea, or no téa', 'tea');
  expect([whole(title), marked(title)]).toEqual(['Tea, or no téa', ['Tea', 'téa']]);
  expect(markedIn('Tea', '')).toEqual([{ text: 'Tea', isMarked: false }]);
  const text = foundIn(`${'other words '.repeat(40)}**tea** ||secret||`, 'tea');
  expect(marked(text)).toEqual(['tea']);
  expect(whole(text)).not.toContain('secret');
});
