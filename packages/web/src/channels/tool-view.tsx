import { useCallback, useEffect } from 'preact/hooks';
import type { Conversation } from '../conversation/conversation.ts';
import { ConversationProvider } from '../conversation/use-conversation.ts';
import type { ChannelTools } from './channel-tools.ts';
import { PinsDialog } from './pins-dialog.tsx';
import { ReachDialog } from './reach-dialog.tsx';
import { RemoveManyDialog } from './remove-many-dialog.tsx';
import { VersionsDialog } from './versions-dialog.tsx';

interface ToolProps {
  readonly conversation: Conversation;
  readonly tools: ChannelTools;
}

/** What is open over a channel. */
export function ToolView({ conversation, tools }: ToolProps) {
  const shown = tools.shown.value;
  const close = useCallback(() => tools.leave(), [tools]);
  useEffect(() => close, [close]);
  if (shown === undefined) return null;
  return (
    <ConversationProvider value={conversation}>
      {shown.kind === 'pins' && <PinsDialog tools={tools} onClose={close} />}
      {shown.kind === 'versions' && <VersionsDialog id={shown.id} tools={tools} onClose={close} />}
      {shown.kind === 'removeMany' && (
        <RemoveManyDialog ids={shown.ids} tools={tools} onClose={close} />
      )}
      {shown.kind === 'reach' && <ReachDialog people={shown.people} onDecide={shown.decide} />}
    </ConversationProvider>
  );
}
