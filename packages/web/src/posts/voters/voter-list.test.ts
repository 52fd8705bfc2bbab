import { expect, test } from 'bun:test';
import type { Vote } from '@hearth/protocol';
import { idOf } from '../../../test/support/fake-communities.ts';
import { FakePosts } from '../../../test/support/fake-posts.ts';

const votesOf = (from: number, to: number): Vote[] =>
  Array.from({ length: from - to + 1 }, (_, at) => ({
    user: { id: idOf(String(from - at)), username: `p${from - at}` },
    value: at % 2 === 0 ? 1 : -1,
    cast_at: 0,
  }));

test('[WC214] who voted is read page by page, and a page that fails is read again', async () => {
  const asked: unknown[] = [];
  let isAway = false;
  const { posts } = new FakePosts({
    votes: ({ kind, id }, { before }) => {
      asked.push([kind, Number(id), before === undefined ? undefined : Number(before)]);
      if (isAway) return Promise.reject(new Error('away'));
      return Promise.resolve(before === undefined ? votesOf(250, 151) : votesOf(150, 141));
    },
  });
  const list = posts.voters({ kind: 'comment', id: idOf('9') });
  const shown = () => {
    const asking = list.asked.value;
    return asking.state === 'there' ? asking.value.entries.length : asking.state;
  };
  expect(asked).toEqual([]);
  await list.load();
  expect(shown()).toBe(100);
  isAway = true;
  await list.loadMore();
  expect(shown()).toBe(100);
  expect(list.moreFailure.value).toEqual(new Error('away'));
  isAway = false;
  await list.loadMore();
  expect(shown()).toBe(110);
  await list.loadMore();
  expect(asked).toEqual([
    ['comment', 9, undefined],
    ['comment', 9, 151],
    ['comment', 9, 151],
  ]);
});
