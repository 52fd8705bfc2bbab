import type { ComponentChildren } from 'preact';
import { FormProblem } from './account-card.tsx';
import { Submit } from './field.tsx';
import { useAccountText } from './use-account-text.ts';
import type { FormState } from './use-form.ts';

interface FormProps<Draft> {
  readonly form: FormState<Draft>;
  /** The button that submits it. */
  readonly action: string;
  readonly look?: 'primary' | 'danger';
  /** True if it stays open, and says that it was saved. */
  readonly isLasting?: boolean;
  /** True if its button stays in view. */
  readonly isLong?: boolean;
  /** Above what is wrong. */
  readonly intro?: ComponentChildren;
  /** Beside its button. */
  readonly beside?: ComponentChildren;
  /** Its fields. */
  readonly children?: ComponentChildren;
}

/** A form: what is wrong with all of it, its fields, and the button that submits it. */
export function Form<Draft>(props: FormProps<Draft>) {
  const { form, action, look = 'primary', isLasting = false, isLong = false } = props;
  const { settings: words } = useAccountText();
  const submit = <Submit label={action} isBusy={form.isBusy} look={look} />;
  return (
    <form ref={form.ref} class="account-form" method="post" noValidate onSubmit={form.onSubmit}>
      {props.intro}
      <FormProblem problem={form.problems.form} />
      {props.children}
      {isLasting || props.beside !== undefined ? (
        <div class={isLong ? 'form-end settings-save' : 'form-end'}>
          {submit}
          {props.beside}
          <p class="success" role="status">
            {isLasting && form.isSaved && words.saved}
          </p>
        </div>
      ) : (
        submit
      )}
    </form>
  );
}
