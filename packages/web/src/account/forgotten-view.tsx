import { useState } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import { useClients } from '../connection/use-clients.ts';
import { useInstance } from '../instance/use-instance.ts';
import { ownPath } from '../lib/own-path.ts';
import { useText } from '../text/use-text.ts';
import { AccountCard } from './account-card.tsx';
import { checkEmail } from './checks.ts';
import { useDescribing } from './describe-problems.ts';
import { Field } from './field.tsx';
import { useAccountText } from './use-account-text.ts';
import { Form } from './form.tsx';
import { useForm } from './use-form.ts';

interface ForgottenProps {
  /** The text that was typed to sign in. */
  readonly identity: string;
}

/** Sends a link for a new password; if the instance cannot send mail, says who can help. */
export function ForgottenView({ identity }: ForgottenProps) {
  const { hasMail, wasAsked } = useInstance();
  const { forgotten: words } = useAccountText();
  const { asked } = useText().shell;
  const [sentTo, setSentTo] = useState<string | undefined>(undefined);
  if (!wasAsked.value) {
    return (
      <AccountCard title={words.title}>
        <p class="hint late" role="status">
          {asked.loading}
        </p>
        <ToSignIn />
      </AccountCard>
    );
  }
  if (hasMail.value === false) {
    return (
      <AccountCard title={words.noMailTitle} text={words.noMailText} isFocused>
        <code class="command">hearth users reset-password {usernameIn(identity)}</code>
        <ToSignIn />
      </AccountCard>
    );
  }
  if (sentTo !== undefined) {
    return (
      <AccountCard title={words.sentTitle} text={words.sentText(sentTo)} isFocused>
        <p class="hint">{words.sentHint}</p>
        <a class="button" href={ownPath(webPath('resetPassword', {}))}>
          {words.haveCode}
        </a>
        <ToSignIn />
      </AccountCard>
    );
  }
  return <ForgottenForm identity={identity} onSent={setSentTo} />;
}

interface FormProps extends ForgottenProps {
  readonly onSent: (email: string) => void;
}

function ForgottenForm({ identity, onSent }: FormProps) {
  const { client } = useClients();
  const { forgotten: words, register } = useAccountText();
  const describing = useDescribing();
  const form = useForm({
    initial: { email: identity.includes('@') ? identity : '' },
    check: ({ email }) => ({ email: checkEmail(email, describing.account.field) }),
    async submit({ email }) {
      await client.requestPasswordReset(email.trim());
      onSent(email.trim());
    },
  });
  return (
    <AccountCard title={words.title} text={words.text}>
      <Form form={form} action={words.submit}>
        <Field
          field={form.field('email')}
          label={register.email}
          type="email"
          inputmode="email"
          autocomplete="email"
          isFirst
        />
      </Form>
      <ToSignIn />
    </AccountCard>
  );
}

function ToSignIn() {
  const { forgotten: words } = useAccountText();
  return (
    <p class="account-others">
      <a href={ownPath(webPath('signIn', {}))}>{words.back}</a>
    </p>
  );
}

/** The command wants a username. */
function usernameIn(identity: string): string {
  const name = identity.trim();
  return name === '' || /[@\s]/.test(name) ? '<username>' : name;
}
