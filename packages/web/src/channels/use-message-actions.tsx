import { NotFoundError } from '@hearth/sdk';
import type { Id } from '@hearth/protocol';
import type { MessageAction } from '../conversation/actions/message-action.ts';
import { describeError } from '../conversation/describe-error.ts';
import type { ShownMessage } from '../conversation/list/timeline.ts';
import { useConversation } from '../conversation/use-conversation.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { PinIcon } from '../ui/action-icons.tsx';
import { PostsIcon } from '../ui/icons.tsx';
import { LogIcon, SelectIcon } from '../ui/place-icons.tsx';
import type { ChannelTools } from './channel-tools.ts';
import { useChannelText } from './use-channel-text.ts';

/** Returns what can be done with a message of a channel besides what can be done everywhere. */
export function useMessageActions(
  tools: ChannelTools,
): (message: ShownMessage) => readonly MessageAction[] {
  const words = useChannelText();
  const setPinned = useSetPinned(tools);
  return ({ id, isPinned = false, editedAtMs, content, postId, isCard }) => {
    if (id === undefined) return [];
    const may = tools.own.peek()?.permissions;
    const actions: MessageAction[] = [];
    if (may?.has('PIN') === true) {
      const label = isPinned ? words.unpin : words.pin;
      const run = () => setPinned(id, !isPinned);
      actions.push({ key: 'pin', label, icon: <PinIcon />, run });
    }
    if (tools.canMakePosts && postId === undefined && isCard === undefined) {
      const run = () => void (tools.shown.value = { kind: 'post', id, content });
      actions.push({ key: 'post', label: words.makePost, icon: <PostsIcon />, run });
    }
    if (may?.has('MANAGE_CONTENT') !== true) return actions;
    if (editedAtMs !== undefined) {
      const run = () => void (tools.shown.value = { kind: 'versions', id });
      actions.push({ key: 'versions', label: words.versions, icon: <LogIcon />, run });
    }
    const run = () => tools.selection.begin(id);
    actions.push({ key: 'select', label: words.select, icon: <SelectIcon />, run });
    return actions;
  };
}

/** Pins a message, or takes it from the pins; returns why that failed. It shows at once. */
export function useSetPinned(tools: ChannelTools): (id: Id, isPinned: boolean) => Promise<string> {
  const { changes } = useConversation();
  const text = useText();
  const formats = useFormats();
  return async (id, isPinned) => {
    changes.show({ kind: 'pin', id, isPinned });
    try {
      await (isPinned ? tools.channel.pin(id) : tools.channel.unpin(id));
    } catch (error) {
      // Somebody else was faster.
      if (!isPinned && error instanceof NotFoundError) return '';
      changes.show({ kind: 'pin', id, isPinned: !isPinned });
      return describeError(error, text, formats);
    }
    return '';
  };
}
