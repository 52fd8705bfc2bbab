import { useState } from 'preact/hooks';
import { useMovedFocus } from '../../ui/use-moved-focus.ts';
import { useAct } from './use-act.ts';
import { useSettingsText } from './use-settings-text.ts';

interface ConfirmProps {
  readonly label: string;
  /** The consequences, in words. */
  readonly text: string;
  readonly onDelete: () => Promise<void>;
}

/** Removes something after a second press. */
export function ConfirmDelete({ label, text, onDelete }: ConfirmProps) {
  const { cancel, channels: words } = useSettingsText();
  const act = useAct();
  const focus = useMovedFocus();
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking) {
    return (
      <button
        ref={focus.arrive}
        type="button"
        class="button button-danger-quiet"
        onClick={() => setIsAsking(true)}
      >
        {label}
      </button>
    );
  }
  return (
    <div class="confirm" role="group" aria-label={label}>
      <p>{text}</p>
      <div class="form-end">
        <button
          type="button"
          class="button button-danger"
          aria-disabled={act.isBusy}
          onClick={() => void act.run(onDelete)}
        >
          {words.deleteConfirm}
        </button>
        <button
          type="button"
          class="button"
          autofocus
          onClick={({ currentTarget }) => {
            focus.leave(currentTarget);
            setIsAsking(false);
          }}
        >
          {cancel}
        </button>
      </div>
      <p class="problem" role="alert">
        {act.problem}
      </p>
    </div>
  );
}
