import { expect, test } from 'bun:test';
import type { Comment } from '@hearth/protocol';
import { idOf } from '../../../test/support/fake-communities.ts';
import { CommentTree, missingReplies } from './comment-tree.ts';

function comment(id: number, parent?: number, parts: Partial<Comment> = {}): Comment {
  return {
    id: idOf(String(id)),
    post_id: idOf('1'),
    channel_id: idOf('2'),
    ...(parent !== undefined && { parent_id: idOf(String(parent)) }),
    depth: parent === undefined ? 0 : 1,
    content: `comment ${id}`,
    created_at: 0,
    reply_count: 0,
    version: 1,
    ...parts,
  };
}

const AT_END = { at: 'end', isNew: () => false } as const;

function shape(tree: CommentTree): unknown {
  const of = (id: Comment['id']): unknown => [
    Number(id),
    ...(tree.node(id).peek()?.children ?? []).map(of),
  ];
  return tree.roots.peek().map(of);
}

test('[WC185] pages of a tree are joined, and what is there keeps its place', () => {
  const tree = new CommentTree();
  tree.add([comment(10, undefined, { reply_count: 3 }), comment(11, 10), comment(12)], AT_END);
  const root = tree.node(idOf('10'));
  expect(root.peek() && missingReplies(root.value ?? never())).toBe(2);
  tree.add([comment(11, 10), comment(13, 10), comment(14, 10)], AT_END);
  expect(shape(tree)).toEqual([[10, [11], [13], [14]], [12]]);
  expect(missingReplies(root.value ?? never())).toBe(0);
  tree.add([comment(15)], { at: 'start', isNew: () => true });
  expect(shape(tree)).toEqual([[15], [10, [11], [13], [14]], [12]]);
  expect(tree.node(idOf('15')).peek()?.isNew).toBe(true);
});

test('[WC185] an older version of a comment is ignored, and an event does not take the own vote', () => {
  const tree = new CommentTree();
  tree.add([comment(10, undefined, { version: 3, my_vote: 1 })], AT_END);
  tree.update(comment(10, undefined, { version: 2, content: 'old' }), true);
  expect(tree.node(idOf('10')).peek()?.comment.content).toBe('comment 10');
  tree.update(comment(10, undefined, { version: 4, content: 'new' }), true);
  expect(tree.node(idOf('10')).peek()?.comment).toMatchObject({ content: 'new', my_vote: 1 });
});

test('[WC185] a comment that is removed is not counted on its parent any more', () => {
  const tree = new CommentTree();
  tree.add([comment(10, undefined, { reply_count: 1 }), comment(11, 10)], AT_END);
  tree.remove(idOf('11'));
  expect(shape(tree)).toEqual([[10]]);
  expect(tree.node(idOf('10')).peek()?.comment.reply_count).toBe(0);
  tree.remove(idOf('10'));
  expect(shape(tree)).toEqual([]);
});

function never(): never {
  throw new Error('the comment is not there');
}

test('[WC185] a folded comment stays folded if the comments are read again', () => {
  const tree = new CommentTree();
  tree.add([comment(10), comment(11)], AT_END);
  tree.fold(idOf('10'), true);
  tree.fold(idOf('11'), true);
  tree.fold(idOf('11'), false);
  tree.clear();
  tree.add([comment(10), comment(11)], AT_END);
  const isFolded = (id: string) => tree.node(idOf(id)).peek()?.isFolded;
  expect([isFolded('10'), isFolded('11')]).toEqual([true, false]);
});
