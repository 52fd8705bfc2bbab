import { useState } from 'preact/hooks';
import { Dialog } from '../ui/dialog.tsx';
import { usePostText } from './use-post-text.ts';

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is deleted. */
export function ConfirmDialog({ title, text, action, onConfirm, onClose }: ConfirmProps) {
  const words = usePostText();
  const [isBusy, setIsBusy] = useState(false);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="form-end">
        <button type="button" class="button" autofocus onClick={onClose}>
          {words.cancel}
        </button>
        <button
          type="button"
          class="button button-danger"
          disabled={isBusy}
          onClick={() => {
            setIsBusy(true);
            void onConfirm().then(onClose);
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
