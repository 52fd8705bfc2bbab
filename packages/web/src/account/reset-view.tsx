import { useState } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import { useClients } from '../connection/use-clients.ts';
import { ownPath } from '../lib/own-path.ts';
import { AccountCard } from './account-card.tsx';
import { checkFilled, checkNewPassword } from './checks.ts';
import { isCodeRefused, useDescribing } from './describe-problems.ts';
import { Field, PasswordField } from './field.tsx';
import { useAccountText } from './use-account-text.ts';
import { Form } from './form.tsx';
import { useForm } from './use-form.ts';

interface ResetProps {
  /** The code in the address; empty if it has to be typed. */
  readonly linked: string;
}

/** Sets a new password with the code of a mail. */
export function ResetView({ linked }: ResetProps) {
  const { reset: words, signIn, register } = useAccountText();
  const { form, outcome } = useReset(linked);
  if (outcome === 'done') {
    return (
      <AccountCard title={words.doneTitle} text={words.doneText} isFocused>
        <a class="button button-primary" href={ownPath(webPath('signIn', {}))}>
          {signIn.submit}
        </a>
      </AccountCard>
    );
  }
  if (outcome === 'expired') {
    return (
      <AccountCard title={words.expired} isFocused>
        <a class="button button-primary" href={ownPath(webPath('forgottenPassword', {}))}>
          {words.another}
        </a>
      </AccountCard>
    );
  }
  return (
    <AccountCard title={words.title} text={words.text}>
      <Form form={form} action={words.submit}>
        {linked === '' && (
          <Field
            field={form.field('code')}
            label={words.code}
            hint={words.codeHint}
            autocomplete="one-time-code"
            isFirst
          />
        )}
        <PasswordField
          field={form.field('password')}
          label={words.password}
          hint={register.passwordHint}
          autocomplete="new-password"
          isFirst={linked !== ''}
        />
      </Form>
    </AccountCard>
  );
}

function useReset(linked: string) {
  const { client } = useClients();
  const describing = useDescribing();
  const { field } = describing.account;
  const [outcome, setOutcome] = useState<'done' | 'expired' | undefined>(undefined);
  const form = useForm({
    initial: { code: linked, password: '' },
    check: ({ code, password }) => ({
      code: checkFilled(code, field),
      password: checkNewPassword(password, field),
    }),
    async submit({ code, password }) {
      try {
        await client.resetPassword({ code: code.trim(), password });
        setOutcome('done');
      } catch (error) {
        // A code that was typed may have been mistyped.
        if (linked === '' || !isCodeRefused(error)) throw error;
        setOutcome('expired');
      }
    },
    describe: (error) => (isCodeRefused(error) ? { code: field.codeWrong } : undefined),
  });
  return { form, outcome };
}
