import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { takeNumber } from './store.ts';

/** Takes the number of the next event of a channel, which is locked until the transaction ends. */
export function takeChannelNumber({ sql }: Transaction, id: Id): Promise<number> {
  return takeNumber(sql, id);
}
