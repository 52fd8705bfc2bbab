import { effect, untracked } from '@preact/signals';
import { webPath, type Id } from '@hearth/protocol';
import type { Conversation } from '../conversation/conversation.ts';
import type { Router, Visit } from './router.ts';
import { shownAt, type Shown } from './shown-at.ts';

/** The part of a conversation that follows the address. */
type Followed = Pick<Conversation, 'seek'> & {
  readonly place: Pick<Conversation['place'], 'sought'>;
};

/**
 * Shows the message that the address names, and lets the address name it no longer after the reader has gone elsewhere
 * in the conversation. Returns a function that stops it.
 */
export function followAddress(router: Router, conversation: Followed): () => void {
  let known: Visit | undefined;
  let wasDialog = false;
  let named: Id | undefined;
  return effect(() => {
    const visit = router.visit.value;
    const shown = shownAt(visit.place);
    const messageId = messageIdIn(shown);
    if (visit !== known) {
      // A dialog lay over the conversation, and the reader is still where they were.
      const isKept = wasDialog && messageId === named;
      known = visit;
      wasDialog = shown.view === 'lobby' && shown.dialog !== undefined;
      if (!wasDialog) named = messageId;
      if (messageId !== undefined && !isKept) untracked(() => conversation.seek(messageId));
    }
    const isLeft = conversation.place.sought.value !== messageId;
    if (messageId !== undefined && isLeft) {
      untracked(() => router.goTo(router.urlOf(webPath('lobby', {})), { isReplacing: true }));
    }
  });
}

function messageIdIn(shown: Shown): Id | undefined {
  return shown.view === 'lobby' ? shown.messageId : undefined;
}
