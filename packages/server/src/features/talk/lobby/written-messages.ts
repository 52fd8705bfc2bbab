// What other features may read of the messages that are written, such as what they have to index.
export { forgetEdit, selectEdits, type Edit } from './changes/store.ts';
export type { StoredMessage } from './message-groups.ts';
export {
  selectIdFrom,
  selectLast,
  selectNumberAfter,
  selectNumberBefore,
  selectNumberRange,
  selectNumberUpTo,
  selectOldestNumber,
} from './store.ts';
