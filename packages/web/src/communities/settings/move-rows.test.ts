import { expect, test } from 'bun:test';
import { channel, idOf } from '../../../test/support/fake-communities.ts';
import { stepped } from '../../ui/stepped.ts';
import { moveChannelRow, moveRow, orderOf, rowsOf } from './move-rows.ts';

const rows = rowsOf([
  channel('2', 'a'),
  channel('3', 'One', { kind: 'category' }),
  channel('4', 'b', { category: '3' }),
  channel('5', 'c', { category: '3' }),
  channel('6', 'Two', { kind: 'category' }),
  channel('7', 'd', { category: '6' }),
]);

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join('');

test('[WC137][WC137a] a channel moves past its neighbours, and into the category that it comes after', () => {
  const moved = moveChannelRow(rows, 0, 1);
  expect(names(moved)).toBe('OneabcTwod');
  expect(orderOf(moved).order[1]).toEqual({ id: idOf('2'), category_id: idOf('3') });
  expect(orderOf(moveChannelRow(rows, 2, 1)).order[1]).toEqual({ id: idOf('4') });
});

test.each([
  [1, 3, 'aOnebcTwod'],
  [1, 4, 'aOnebcTwod'],
  [1, 5, 'aTwodOnebc'],
  [4, 2, 'aOnebcTwod'],
  [4, 1, 'aTwodOnebc'],
  [4, 0, 'aTwodOnebc'],
  [4, 5, 'aOnebcTwod'],
  [0, -1, 'aOnebcTwod'],
])('[WC137][WC137a] a category takes its channels with it: from %i to %i', (from, to, expected) => {
  expect(names(moveChannelRow(rows, from, to))).toBe(expected);
});

test('[WC137] a category that is dragged stays where it is as long as the finger does', () => {
  for (const [from, to] of [
    [1, 5],
    [4, 1],
  ] as const) {
    const moved = moveChannelRow(rows, from, to);
    const at = moved.findIndex(({ key }) => key === rows[from]?.key);
    expect(moveChannelRow(moved, at, to)).toBe(moved);
  }
});

test('[WC137] an arrow key moves a category past its own channels and the next category', () => {
  expect(names(stepped(rows, { from: 1, by: 1, move: moveChannelRow }))).toBe('aTwodOnebc');
  expect(names(stepped(rows, { from: 4, by: -1, move: moveChannelRow }))).toBe('aTwodOnebc');
  expect(stepped(rows, { from: 4, by: 1, move: moveChannelRow })).toBe(rows);
  expect(stepped(rows, { from: 1, by: -1, move: moveChannelRow })).toBe(rows);
});

test('[WC137] a line that cannot move leaves the list as it is', () => {
  expect(moveChannelRow(rows, 0, -1)).toBe(rows);
  expect(moveChannelRow(rows, 4, rows.length)).toBe(rows);
  expect(moveRow(rows, 2, rows.length)).toBe(rows);
});
