export { acceptInOrder, type Check } from './accept-in-order.ts';
export {
  claim,
  dropOutdated,
  keyOf,
  takePlaces,
  type ChannelWrite,
  type InOrder,
  type NotWritten,
} from './channel-writes.ts';
export { completeMessages, namedIn } from './complete-messages.ts';
export { describeMessage, type Named } from './describe-message.ts';
export { messageExcerpt } from './excerpt.ts';
export { filesIn, givenFiles, removingMessages } from './files.ts';
export { holdFiles } from './hold-files.ts';
export { requireMessages, requireWriting } from './message-access.ts';
export type { MessagesContext } from './messages-context.ts';
export { insertMessages } from './new-message-store.ts';
export { Outdated } from './outdated.ts';
export { selectMessagesOfPost, updatePostId } from './post-id-store.ts';
export { readPaces } from './slow-down.ts';
export { lockMessages, selectMessage, selectMessages, selectRange } from './store.ts';
export { listText, type AttachedId, type StoredMessage } from './stored-message.ts';
export { withTargetNow } from './target-now.ts';
export { UNLINK_POST, type Unlinking, addUnlinking } from './unlinking.ts';
