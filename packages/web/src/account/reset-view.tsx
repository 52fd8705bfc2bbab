import { useState } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import { NotFoundError } from '@hearth/sdk';
import { useClients } from '../connection/use-clients.ts';
import { ownPath } from '../lib/own-path.ts';
import { AccountCard, FormProblem } from './account-card.tsx';
import { checkNewPassword } from './checks.ts';
import { describeProblems, useDescribing } from './describe-problems.ts';
import { PasswordField, Submit } from './field.tsx';
import { useAccountText } from './use-account-text.ts';
import { useForm } from './use-form.ts';

/** Sets a new password with the code of a mail. */
export function ResetView({ code }: { readonly code: string }) {
  const { client } = useClients();
  const { reset: words, signIn } = useAccountText();
  const describing = useDescribing();
  const [outcome, setOutcome] = useState<'done' | 'expired' | undefined>(
    code === '' ? 'expired' : undefined,
  );
  const form = useForm<'password'>({
    initial: { password: '' },
    check: ({ password }) => ({ password: checkNewPassword(password, describing.account.field) }),
    async submit({ password }) {
      try {
        await client.resetPassword({ code, password });
        setOutcome('done');
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        setOutcome('expired');
      }
    },
    describe: (error) => describeProblems(error, ['password'], describing),
  });
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
      <form ref={form.ref} class="account-form" method="post" noValidate onSubmit={form.onSubmit}>
        <FormProblem problem={form.problem} />
        <PasswordField
          field={form.field('password')}
          label={words.password}
          hint={describing.account.register.passwordHint}
          autocomplete="new-password"
          isFirst
        />
        <Submit label={words.submit} isBusy={form.isBusy} />
      </form>
    </AccountCard>
  );
}
