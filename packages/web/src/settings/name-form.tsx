import type { TargetedSubmitEvent } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { checkName, type CheckedName } from './name.ts';
import type { Catalogue } from '../text/catalogue.ts';
import { useText } from '../text/use-text.ts';

interface NameFormProps {
  readonly label: string;
  readonly hint: string;
  readonly accept: string;
  /** Shown after a name was accepted, if the form stays. */
  readonly accepted?: string;
  readonly initial: string;
  /** It gets the focus. */
  readonly isFirst?: boolean;
  readonly onName: (name: string) => void;
}

/** The field for a name; a problem is shown below it after the first try. */
export function NameForm(props: NameFormProps) {
  const { label, hint, accept, accepted, initial, isFirst = false, onName } = props;
  const text = useText();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(initial);
  const [outcome, setOutcome] = useState<'none' | 'refused' | 'accepted'>('none');
  const checked = checkName(typed);
  const problem = outcome === 'refused' ? problemText(checked, text) : undefined;
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setOutcome(checked.isValid ? 'accepted' : 'refused');
    if (checked.isValid) onName(checked.name);
    else field.current?.focus();
  };
  return (
    <form class="name-form" noValidate onSubmit={submit}>
      <label for={id}>{label}</label>
      <div class="name-row">
        <input
          dir="auto"
          ref={field}
          id={id}
          class="text-field"
          type="text"
          name="name"
          autocomplete="nickname"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="go"
          autofocus={isFirst}
          value={typed}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? `${id}-hint` : `${id}-hint ${id}-problem`}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            if (outcome === 'accepted') setOutcome('none');
          }}
        />
        <button type="submit" class="button button-primary">
          {accept}
        </button>
      </div>
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
      {accepted !== undefined && (
        <p class="success" role="status">
          {outcome === 'accepted' && accepted}
        </p>
      )}
    </form>
  );
}

function problemText(checked: CheckedName, text: Catalogue): string | undefined {
  if (checked.isValid) return undefined;
  const { missing, short, long } = text.shell.name;
  switch (checked.problem) {
    case 'missing':
      return missing;
    case 'short':
      return short;
    case 'long':
      return long(checked.count);
  }
}
