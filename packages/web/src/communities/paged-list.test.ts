import { expect, test } from 'bun:test';
import { PagedList } from './paged-list.ts';

test('[WC136] if the next page of a list cannot be loaded, what is there stays, and it can be tried again', async () => {
  let isAway = false;
  const list = new PagedList<number>(async (cursor) => {
    if (isAway) throw new Error('away');
    return cursor === undefined
      ? { entries: [1, 2], next: 'three' }
      : { entries: [3], next: undefined };
  });
  await list.load();
  isAway = true;
  await list.loadMore();
  expect(list.asked.value).toEqual({ state: 'there', value: { entries: [1, 2], next: 'three' } });
  expect(list.moreFailure.value).toEqual(new Error('away'));
  isAway = false;
  await list.loadMore();
  expect(list.asked.value).toEqual({
    state: 'there',
    value: { entries: [1, 2, 3], next: undefined },
  });
  expect(list.moreFailure.value).toBeUndefined();
});

test('[WC137] a list that is to be loaded again while it is being loaded is loaded afterwards', async () => {
  const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  let asked = 0;
  const list = new PagedList<number>(async () => {
    const answer = answers[asked];
    asked += 1;
    return { entries: [(await answer?.promise) ?? 0], next: undefined };
  });
  const loading = list.load();
  void list.load();
  void list.load();
  answers[0]?.resolve(1);
  answers[1]?.resolve(2);
  await loading;
  expect(asked).toBe(2);
  expect(list.asked.value).toEqual({ state: 'there', value: { entries: [2], next: undefined } });
});
