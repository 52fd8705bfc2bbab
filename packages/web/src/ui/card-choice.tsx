import { useId } from 'preact/hooks';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly names: Readonly<Record<Value, string>>;
  readonly hints: Readonly<Record<Value, string>>;
  readonly value: Value;
  /** Returns whether a value cannot be chosen now. */
  readonly isDisabled?: (value: Value) => boolean;
  readonly onChange: (value: Value) => void;
}

/** A choice of one value among a few that need a sentence each. */
export function CardChoice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, values, names, hints, value, isDisabled, onChange } = props;
  const id = useId();
  return (
    <fieldset class="cards">
      <legend>{label}</legend>
      {values.map((each) => (
        <div key={each} class="card-choice">
          <input
            id={`${id}-${each}`}
            type="radio"
            name={id}
            value={each}
            checked={each === value}
            disabled={isDisabled?.(each)}
            aria-describedby={`${id}-${each}-hint`}
            onChange={() => onChange(each)}
          />
          <div>
            <label for={`${id}-${each}`}>{names[each]}</label>
            <p id={`${id}-${each}-hint`} class="hint">
              {hints[each]}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
