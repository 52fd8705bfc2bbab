import type { Id } from '@hearth/protocol';
import { useState } from 'preact/hooks';
import { describeError } from '../conversation/describe-error.ts';
import { useConversation } from '../conversation/use-conversation.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { ChannelTools } from './channel-tools.ts';
import { useChannelText } from './use-channel-text.ts';

interface RemoveProps {
  readonly ids: readonly Id[];
  readonly tools: ChannelTools;
  readonly onClose: () => void;
}

/** Asks before the chosen messages are deleted. */
export function RemoveManyDialog({ ids, tools, onClose }: RemoveProps) {
  const { draft } = useConversation();
  const words = useChannelText();
  const text = useText();
  const formats = useFormats();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const remove = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      await tools.channel.removeMany(ids);
      onClose();
      tools.selection.end();
      draft.resume();
    } catch (error) {
      setIsBusy(false);
      setProblem(describeError(error, text, formats));
    }
  };
  return (
    <Dialog title={words.removeTitle(ids.length, formats.count(ids.length))} onClose={onClose}>
      <p>{words.removeText}</p>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="form-end">
        <button
          type="button"
          class="button button-danger"
          aria-disabled={isBusy}
          onClick={() => void remove()}
        >
          {words.remove}
        </button>
        <button type="button" class="button" autofocus onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </Dialog>
  );
}
