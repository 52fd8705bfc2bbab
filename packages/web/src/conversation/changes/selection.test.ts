import { parseId, type Id } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { Selection } from './selection.ts';

const idOf = (number: number): Id => parseId(String(number)) ?? expect.unreachable();
const chosen = (selection: Selection) => [...(selection.ids.value ?? [])].map(Number);

test('[WC175] messages are chosen one by one, and from one to another, up to as many as are deleted at once', () => {
  const selection = new Selection(4);
  const known = [1, 2, 3, 4, 5, 6, 7].map(idOf);
  expect(selection.ids.value).toBeUndefined();
  selection.begin(idOf(3));
  selection.toggle(idOf(5));
  selection.toggle(idOf(3));
  expect(chosen(selection)).toEqual([5]);
  selection.toggle(idOf(4));
  selection.extend(idOf(2), known);
  expect(chosen(selection)).toEqual([5, 4, 2, 3]);
  expect(selection.isFull).toBe(true);
  selection.toggle(idOf(7));
  selection.extend(idOf(7), known);
  expect(chosen(selection)).toEqual([5, 4, 2, 3]);
  selection.drop(idOf(4));
  selection.drop(idOf(6));
  expect(chosen(selection)).toEqual([5, 2, 3]);
  selection.end();
  expect(selection.ids.value).toBeUndefined();
});
