import type { Id } from '@hearth/protocol';
import type { ReceivedComment } from '@hearth/protocol/received-posts';
import { expect, test } from 'bun:test';
import { commentOf } from '../../test/support/posts.ts';
import { idOf } from '../../test/support/communities.ts';
import { CommentTree } from './comment-tree.ts';

const ids = (tree: CommentTree) => tree.all.map(({ id }) => Number(id));

function treeOf(sort: 'top' | 'new' | 'old' | 'controversial', ...page: ReceivedComment[]) {
  const tree = new CommentTree(sort);
  tree.replace(page);
  return tree;
}

test('[SK43] a new comment stands where comments without votes stand, below what it replies to', () => {
  const page = [
    commentOf(1, { score: 3, upvotes: 4, downvotes: 1, reply_count: 1 }),
    commentOf(2, { parent_id: idOf(1), depth: 1 }),
    commentOf(3, { score: 0 }),
  ];
  const orders = {
    top: [1, 2, 9, 3],
    new: [9, 1, 2, 3],
    old: [1, 2, 3, 9],
    controversial: [1, 2, 9, 3],
  };
  for (const [sort, order] of Object.entries(orders)) {
    const tree = treeOf(sort as 'top', ...page);
    expect(tree.create(commentOf(9), undefined)).toBe(true);
    expect(ids(tree)).toEqual(order);
  }
  const tree = treeOf('old', ...page);
  tree.create(commentOf(9, { parent_id: idOf(1), depth: 1 }), 2);
  tree.create(commentOf(10, { parent_id: idOf(9), depth: 2 }), 1);
  expect(ids(tree)).toEqual([1, 2, 9, 10, 3]);
  expect(tree.create(commentOf(11, { parent_id: idOf(77), depth: 1 }), 1)).toBe(false);
});

test('[SK43] a new comment that is reported late stands where it would have stood', () => {
  const orders = { top: [3, 2, 1], new: [3, 2, 1], old: [1, 2, 3], controversial: [3, 2, 1] };
  for (const [sort, order] of Object.entries(orders)) {
    const tree = treeOf(sort as 'top');
    for (const id of [1, 3, 2]) tree.create(commentOf(id), undefined);
    expect(ids(tree)).toEqual(order);
  }
});

test('[SK43] the same comment twice is shown once, and counts once', () => {
  const tree = treeOf('top', commentOf(1));
  const reply = commentOf(2, { parent_id: idOf(1), depth: 1 });
  for (let times = 0; times < 3; times += 1) tree.create(reply, 1);
  expect(ids(tree)).toEqual([1, 2]);
  expect(tree.get(idOf(1))?.reply_count).toBe(1);
  tree.create(reply, undefined);
  expect(tree.get(idOf(1))?.reply_count).toBe(1);
  for (let times = 0; times < 2; times += 1)
    tree.remove([idOf(2)], { id: idOf(1), reply_count: 0 });
  expect(ids(tree)).toEqual([1]);
  expect(tree.get(idOf(1))?.reply_count).toBe(0);
});

test('[SK43] without the total, a reply that goes is taken from the number of replies, once', () => {
  const tree = treeOf(
    'top',
    commentOf(1, { reply_count: 2 }),
    commentOf(2, { parent_id: idOf(1), depth: 1 }),
  );
  for (let times = 0; times < 2; times += 1) tree.remove([idOf(2)], undefined);
  expect(tree.get(idOf(1))?.reply_count).toBe(1);
});

test('[SK43] an older version of a comment changes nothing, and a newer one keeps the own vote', () => {
  const tree = treeOf('top', commentOf(1, { version: 3, content: 'third', my_vote: -1 }));
  tree.update(commentOf(1, { version: 2, content: 'second' }));
  expect(tree.all[0]).toMatchObject({ content: 'third', my_vote: -1 });
  tree.update(commentOf(1, { version: 4, content: 'fourth' }));
  expect(tree.all[0]).toMatchObject({ content: 'fourth', my_vote: -1 });
  tree.replace([commentOf(1, { version: 3, content: 'third' })]);
  expect(tree.all[0]?.content).toBe('fourth');
});

test('[SK43] totals are shown as they come, and are no longer hidden', () => {
  const { score: _s, upvotes: _u, downvotes: _d, ...hidden } = commentOf(1, { my_vote: 1 });
  const tree = treeOf('top', { ...hidden, scores_hidden_until: 7 });
  tree.score(idOf(1), { score: 1, upvotes: 2, downvotes: 1 });
  expect(tree.all as unknown).toEqual([{ ...hidden, score: 1, upvotes: 2, downvotes: 1 }]);
  tree.voted(idOf(1), { score: 0, upvotes: 1, downvotes: 1 });
  expect(tree.all[0]).not.toHaveProperty('my_vote');
  expect(tree.all[0]?.score).toBe(0);
});

test('[SK42] more replies are shown below their comment, each comment once, and more roots after all others', () => {
  const reply = (id: number, under: number, depth: number) =>
    commentOf(id, { parent_id: idOf(under), depth });
  const tree = treeOf('top', commentOf(1), reply(2, 1, 1), commentOf(3));
  tree.append([reply(2, 1, 1), reply(4, 1, 1), reply(5, 4, 2)], idOf(1));
  tree.append([commentOf(3), commentOf(6)], undefined);
  expect(ids(tree)).toEqual([1, 2, 4, 5, 3, 6]);
  tree.append([reply(8, 7, 1)], idOf(7));
  expect(ids(tree)).toHaveLength(6);
});

test('[SK43] at most 5,000 comments are shown', () => {
  const many: ReceivedComment[] = Array.from({ length: 5_001 }, (_, index) => commentOf(index + 1));
  const tree = treeOf('old', ...many);
  expect(tree.all).toHaveLength(5_000);
  tree.append([commentOf(7_000)], undefined);
  tree.create(commentOf(7_001), undefined);
  expect(tree.all).toHaveLength(5_000);
  const last: Id | undefined = tree.all.at(-1)?.id;
  expect(last).toBe(idOf(5_000));
});
