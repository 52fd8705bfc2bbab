import { useId } from 'preact/hooks';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  /** True if the label is for assistive technology only. */
  readonly hidesLabel?: boolean;
  /** It gets the focus. */
  readonly isFirst?: boolean;
  readonly values: readonly Value[];
  readonly names: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice of one value among a few. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, hidesLabel = false, isFirst = false, values, names, value, onChange } = props;
  const group = useId();
  return (
    <fieldset class="choice">
      <legend class={hidesLabel ? 'visually-hidden' : undefined}>{label}</legend>
      <div class="choice-values">
        {values.map((each) => (
          <label key={each} class="choice-value">
            <input
              type="radio"
              name={group}
              value={each}
              checked={each === value}
              autofocus={isFirst && each === value}
              onChange={() => onChange(each)}
            />
            <span>{names[each]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
