import { useCallback, useEffect } from 'preact/hooks';
import type { Conversation } from '../conversation/conversation.ts';
import { ConversationProvider } from '../conversation/use-conversation.ts';
import { useViews } from '../lib/views.ts';
import type { ChannelTools, ShownTool } from './channel-tools.ts';
import { PinsDialog } from './pins-dialog.tsx';
import { ReachDialog } from './reach-dialog.tsx';
import { RemoveManyDialog } from './remove-many-dialog.tsx';
import { VersionsDialog } from './versions-dialog.tsx';

interface ToolProps {
  readonly conversation: Conversation;
  readonly tools: ChannelTools;
}

/** Shows the tool that is open over a channel. */
export function ToolView({ conversation, tools }: ToolProps) {
  const shown = tools.shown.value;
  const close = useCallback(() => tools.leave(), [tools]);
  useEffect(() => close, [close]);
  if (shown === undefined) return null;
  return (
    <ConversationProvider value={conversation}>
      {shown.kind === 'pins' && <PinsDialog tools={tools} onClose={close} />}
      {shown.kind === 'post' && <MessagePost shown={shown} tools={tools} onClose={close} />}
      {shown.kind === 'versions' && <VersionsDialog id={shown.id} tools={tools} onClose={close} />}
      {shown.kind === 'removeMany' && (
        <RemoveManyDialog ids={shown.ids} tools={tools} onClose={close} />
      )}
      {shown.kind === 'reach' && <ReachDialog people={shown.people} onDecide={shown.decide} />}
    </ConversationProvider>
  );
}

interface PostProps {
  readonly shown: Extract<ShownTool, { readonly kind: 'post' }>;
  readonly tools: ChannelTools;
  readonly onClose: () => void;
}

/** The form in which a message is made into a post. */
function MessagePost({ shown, tools, onClose }: PostProps) {
  const views = useViews('posts');
  const channel = tools.own.value;
  if (views === undefined || channel === undefined) return null;
  const { id, content } = shown;
  return <views.MessagePostDialog {...{ channel, id, content, onClose }} />;
}
