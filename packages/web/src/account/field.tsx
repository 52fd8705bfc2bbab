import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { HiddenIcon } from '../ui/icons.tsx';
import { EyeIcon } from './icons.tsx';
import type { FormField } from './use-form.ts';
import { useAccountText } from './use-account-text.ts';

// The types of input elements differ in their attributes.
const TEXT = { type: 'text' } as const;
const EMAIL = { type: 'email' } as const;
const PASSWORD = { type: 'password' } as const;

interface FieldProps {
  readonly field: FormField;
  readonly label: string;
  readonly hint?: string | undefined;
  /** The value that browsers and password managers fill in. */
  readonly autocomplete: string;
  readonly type?: 'text' | 'email';
  readonly inputmode?: 'text' | 'email' | 'numeric';
  readonly placeholder?: string | undefined;
  readonly isFirst?: boolean | undefined;
  /** True if it is in a human language, so that browsers may correct it. */
  readonly isProse?: boolean;
}

/** A line of text, with what is wrong with it below. */
export function Field(props: FieldProps) {
  const { field, label, hint, autocomplete, type = 'text', inputmode, isFirst, isProse } = props;
  const box = useBox(isFirst);
  return (
    <FieldFrame label={label} hint={hint} problem={field.problem}>
      {(wiring) => (
        <input
          {...wiring}
          ref={box}
          class="text-field"
          {...(type === 'email' ? EMAIL : TEXT)}
          name={field.name}
          inputMode={inputmode}
          autocomplete={autocomplete}
          autocapitalize={isProse === true ? undefined : 'none'}
          spellcheck={isProse === true}
          dir={isProse === true ? 'auto' : undefined}
          placeholder={props.placeholder}
          value={field.value}
          onInput={(event) => field.onChange(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}

interface PasswordProps {
  readonly field: FormField;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly autocomplete: 'current-password' | 'new-password';
  readonly isFirst?: boolean | undefined;
}

/** A password, which can be shown. */
export function PasswordField({ field, label, hint, autocomplete, isFirst }: PasswordProps) {
  const { field: words } = useAccountText();
  const box = useBox(isFirst);
  const [isShown, setIsShown] = useState(false);
  const toggle = isShown ? words.hide : words.show;
  return (
    <FieldFrame label={label} hint={hint} problem={field.problem}>
      {(wiring) => (
        <div class="password-row">
          <input
            {...wiring}
            ref={box}
            class="text-field"
            {...(isShown ? TEXT : PASSWORD)}
            name={field.name}
            autocomplete={autocomplete}
            autocapitalize="none"
            spellcheck={false}
            value={field.value}
            onInput={(event) => field.onChange(event.currentTarget.value)}
          />
          <button
            type="button"
            class="icon-button"
            aria-label={toggle}
            aria-pressed={isShown}
            title={toggle}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? <HiddenIcon /> : <EyeIcon />}
          </button>
        </div>
      )}
    </FieldFrame>
  );
}

/** The box of a field, which gets the focus if it is the first one. Browsers heed `autofocus` only while a page is loaded. */
function useBox(isFirst = false): RefObject<HTMLInputElement | null> {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) box.current?.focus();
  }, [isFirst]);
  return box;
}

interface TextAreaProps {
  readonly field: FormField;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly rows: number;
}

/** Several lines of text. */
export function TextArea({ field, label, hint, rows }: TextAreaProps) {
  return (
    <FieldFrame label={label} hint={hint} problem={field.problem}>
      {(wiring) => (
        <textarea
          {...wiring}
          class="text-field text-area"
          name={field.name}
          rows={rows}
          dir="auto"
          value={field.value}
          onInput={(event) => field.onChange(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}

/** The attributes that connect a control with its label, hint and problem. */
interface Wiring {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

interface FrameProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly problem: string | undefined;
  readonly children: (wiring: Wiring) => ComponentChildren;
}

function FieldFrame({ label, hint, problem, children }: FrameProps) {
  const id = useId();
  const note = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem !== undefined,
        'aria-describedby': problem === undefined ? note : `${id}-problem`,
      })}
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
      {hint !== undefined && problem === undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface SubmitProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly look?: 'primary' | 'danger';
}

/** The button that submits a form. It stays where it is while the server answers, and keeps the focus. */
export function Submit({ label, isBusy, look = 'primary' }: SubmitProps) {
  return (
    <button type="submit" class={`button button-${look}`} aria-disabled={isBusy}>
      {isBusy && <span class="spinner" aria-hidden="true" />}
      <span>{label}</span>
    </button>
  );
}

/** Whose password a form is about, for password managers only. */
export function NamedFor({ username }: { readonly username: string }) {
  return (
    <input
      class="visually-hidden"
      type="text"
      name="username"
      autocomplete="username"
      value={username}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}
