import { useId } from 'preact/hooks';

interface SwitchProps {
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A setting that is on or off. */
export function Switch({ label, hint, isOn, isDisabled = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div class="switch-row">
      <div>
        <label for={id}>{label}</label>
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      </div>
      <input
        id={id}
        class="switch"
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}
