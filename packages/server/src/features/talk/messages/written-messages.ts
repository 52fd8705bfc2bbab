// What other features may read of the messages of channels, such as what they have to index.
export { completeMessages, namedIn } from './complete-messages.ts';
export { selectContents } from './content-store.ts';
export { filesIn } from './files.ts';
export { requireMessages } from './message-access.ts';
export { insertMessages } from './new-message-store.ts';
export type { StoredMessage } from './stored-message.ts';
export { lockMessages, selectMessage, selectMessages, selectRange } from './store.ts';
export { selectMessagesOfPost, updatePostId } from './post-id-store.ts';
