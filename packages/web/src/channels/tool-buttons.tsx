import type { Conversation } from '../conversation/conversation.ts';
import { PinIcon } from '../ui/action-icons.tsx';
import { toolsOf } from './channel-tools.ts';
import { ToolView } from './tool-view.tsx';
import { useChannelText } from './use-channel-text.ts';

/** The button for the pinned messages, and what is open over the channel. */
export function ToolButtons({ conversation }: { readonly conversation: Conversation }) {
  const { pins } = useChannelText();
  const tools = toolsOf(conversation);
  if (tools === undefined) return null;
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-haspopup="dialog"
        aria-label={pins}
        title={pins}
        onClick={() => void (tools.shown.value = { kind: 'pins' })}
      >
        <PinIcon />
      </button>
      <ToolView conversation={conversation} tools={tools} />
    </>
  );
}
