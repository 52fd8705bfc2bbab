import { expect, test } from 'bun:test';
import type { Comment } from '@hearth/protocol';
import { idOf } from '../../../test/support/fake-communities.ts';
import { comment, FakePosts } from '../../../test/support/fake-posts.ts';
import type { Page } from '../../communities/page.ts';

test('[WC208] comments of a person follow each other, and those that are written meanwhile come before', async () => {
  const asked: unknown[] = [];
  let first: Page<Comment> = { entries: [comment(9), comment(8)], next: '8' };
  const fake = new FakePosts({
    commentsOf: (_user, cursor) => {
      asked.push(cursor);
      const older = { entries: [comment(7), comment(6)], next: undefined };
      return Promise.resolve(cursor === undefined ? first : older);
    },
  });
  const list = fake.posts.lists.commentsOf(idOf('7'));
  const shown = () => list.entries.value?.map(({ id }) => Number(id));
  await list.open();
  await list.more();
  await list.more();
  expect(shown()).toEqual([9, 8, 7, 6]);
  first = { entries: [comment(10), comment(8)], next: '8' };
  await fake.posts.lists.commentsOf(idOf('7')).open();
  // The comment 9 was deleted.
  expect(shown()).toEqual([10, 8, 7, 6]);
  expect(list.hasMore.value).toBe(false);
  first = { entries: [comment(30), comment(29)], next: '29' };
  await list.open();
  expect(shown()).toEqual([30, 29]);
  expect(asked).toEqual([undefined, '8', undefined, undefined]);
});
