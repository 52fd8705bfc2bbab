import { useFormats } from '../text/use-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useChannelText } from './use-channel-text.ts';

/** The instance counts no further. */
const MOST_COUNTED = 1_000;

interface ReachProps {
  readonly people: number;
  readonly onDecide: (isSent: boolean) => void;
}

/** Asks before a message is sent that mentions many people. */
export function ReachDialog({ people, onDecide }: ReachProps) {
  const words = useChannelText();
  const formats = useFormats();
  const count = formats.count(people);
  const shown = people < MOST_COUNTED ? count : words.atLeast(count);
  return (
    <Dialog title={words.reachTitle(shown)} onClose={() => onDecide(false)}>
      <p>{words.reachText(shown)}</p>
      <div class="form-end">
        <button type="button" class="button button-primary" onClick={() => onDecide(true)}>
          {words.send}
        </button>
        <button type="button" class="button" autofocus onClick={() => onDecide(false)}>
          {words.cancel}
        </button>
      </div>
    </Dialog>
  );
}
