import { useFormats } from '../text/use-text.ts';
import type { Draft } from '../writing/draft.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { toolsOf, type ChannelTools } from './channel-tools.ts';
import { useChannelText } from './use-channel-text.ts';
import { ownKeys } from '../ui/own-keys.ts';

interface BarProps {
  readonly tools: ChannelTools;
  readonly draft: Pick<Draft, 'resume'>;
}

/** The bar for choosing messages, while the reader does that. */
export function selectBar(conversation: Conversation) {
  const tools = toolsOf(conversation);
  if (tools?.selection.ids.value === undefined) return undefined;
  return <SelectBar tools={tools} draft={conversation.draft} />;
}

/** In place of the message box while messages are chosen: how many are, and what can be done with them. */
function SelectBar({ tools, draft }: BarProps) {
  const words = useChannelText();
  const formats = useFormats();
  const { selection, shown } = tools;
  const ids = [...(selection.ids.value ?? [])];
  const end = () => {
    selection.end();
    draft.resume();
  };
  return (
    <div
      class="select-bar"
      role="group"
      aria-label={words.select}
      onKeyDown={ownKeys(({ key }) => {
        if (key === 'Escape') end();
      })}
    >
      <p role="status">
        {words.selected(ids.length, formats.count(ids.length))}
        {selection.isFull && <span class="hint"> {words.full}</span>}
      </p>
      <button
        type="button"
        class="button button-danger"
        disabled={ids.length === 0}
        onClick={() => void (shown.value = { kind: 'removeMany', ids })}
      >
        {words.remove}
      </button>
      <button type="button" class="button" onClick={end}>
        {words.cancel}
      </button>
    </div>
  );
}
