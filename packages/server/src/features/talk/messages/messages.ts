export { completeMessages, namedIn } from './complete-messages.ts';
export { describeMessage, type Named } from './describe-message.ts';
export { filesIn, removingMessages } from './files.ts';
export type { MessagesContext } from './messages-context.ts';
export { insertMessages } from './new-message-store.ts';
export { selectMessagesOfPost, updatePostId } from './post-id-store.ts';
export {
  lockMessages,
  selectMessage,
  selectMessages,
  selectMessagesById,
  selectNewestMessageIds,
} from './store.ts';
export { listText, type StoredMessage } from './stored-message.ts';
export { withTargetNow } from './target-now.ts';
export { UNLINK_POST, type Unlinking, addUnlinking } from './unlinking.ts';
