import type { SplitWords } from '@hearth/protocol';
import type { Statement } from '../../../ports/database/database.ts';
import type { StoredMessage } from '../../talk/lobby/lobby.ts';
import { BLOCK_SIZES, blockOf, firstRead, hitOf, numbersOf } from './blocks.ts';
import { indexedWords } from './index-words.ts';
import { wordStatements, type Index } from './store.ts';

/**
 * Statements that add the words of an edited message to the blocks that searches may read. Its former words stay there: what
 * is found is compared with the message.
 */
export function editStatements(
  { number, message }: StoredMessage,
  { place, indexedNumber }: Index,
  split: SplitWords,
): readonly Statement[] {
  const words = [...indexedWords(message, split)].toSorted();
  return BLOCK_SIZES.flatMap((size) => {
    const block = { size, index: blockOf(number, size) };
    const isRead = block.index >= firstRead(size, indexedNumber);
    if (!isRead || numbersOf(block).last > indexedNumber) return [];
    const hits = words.map((word) => [word, hitOf(number, size)] as const);
    return wordStatements({ place, block, storing: 'append' }, hits);
  });
}
