import { parseId, type Id } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { RecentBlocks } from './recent-blocks.ts';

const SIZE = { columns: 20, rows: 5 };

function id(number: number): Id {
  const parsed = parseId(String(number));
  if (parsed === undefined) throw new Error('an identifier');
  return parsed;
}

function blocksOf(...texts: readonly string[]): RecentBlocks {
  const blocks = new RecentBlocks();
  for (const [index, text] of texts.entries()) blocks.add({ text, id: id(index + 1) });
  return blocks;
}

describe('[OP44] the list of blocks above the prompt', () => {
  test.each([
    ['a row', 'short', 1],
    ['colours, which take no room', '\u001B[2m12:00\u001B[0m ' + 'x'.repeat(14), 1],
    ['a link', `\u001B]8;;http://${'x'.repeat(30)}\u001B\\file\u001B]8;;\u001B\\`, 1],
    ['a full row', 'x'.repeat(20), 1],
    ['more than a row', 'x'.repeat(21), 2],
    ['lines', 'one\n\nthree', 3],
    ['wide characters that certainly fit', '日本語 🔥', 1],
  ])('the list returns the blocks below a message and their rows: %s', (_what, text, rowCount) => {
    const blocks = blocksOf('before', text, 'after');
    const below = [{ text: 'after', id: id(3) }];
    expect(blocks.takeFrom(id(2), SIZE)).toEqual({ below, rowCount: rowCount + 1 });
    expect(blocks.takeFrom(id(3), SIZE)).toBeUndefined();
    expect(blocks.takeFrom(id(1), SIZE)).toEqual({ below: [], rowCount: 1 });
  });

  test.each([
    ['that may take one row or two', '日本語'.repeat(4), SIZE],
    ['that is not entirely in view', 'one\n\n\nfour', SIZE],
    ['on a terminal that does not report its size', 'short', { columns: undefined, rows: 0 }],
  ])('the list forgets a message %s, so that it is not printed again', (_what, text, size) => {
    const blocks = blocksOf('before', text, 'after');
    expect(blocks.takeFrom(id(2), size)).toBeUndefined();
    expect(blocks.takeFrom(id(1), { columns: 200, rows: 50 })).toBeUndefined();
    expect(blocks.takeFrom(id(3), SIZE)).toEqual({ below: [], rowCount: 1 });
  });

  test('the list is empty after something else was written', () => {
    const blocks = blocksOf('one');
    blocks.forget();
    expect(blocks.takeFrom(id(1), SIZE)).toBeUndefined();
  });
});
