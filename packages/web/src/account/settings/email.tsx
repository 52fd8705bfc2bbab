import { useState } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import type { OwnUser } from '@hearth/protocol/schemas';
import { useInstance } from '../../instance/use-instance.ts';
import { ownPath } from '../../lib/own-path.ts';
import { checkEmail } from '../checks.ts';
import { describeProblems, useDescribing } from '../describe-problems.ts';
import { Field, NamedFor, PasswordField } from '../field.tsx';
import type { OwnAccount } from '../own-account.ts';
import { useAccountText } from '../use-account-text.ts';
import { Form } from '../form.tsx';
import { useForm } from '../use-form.ts';

interface EmailProps {
  readonly own: OwnAccount;
  readonly user: OwnUser;
}

/** The address, and whether it is confirmed. */
export function EmailState({ own, user }: EmailProps) {
  const { hasMail } = useInstance();
  const { account: words } = useAccountText();
  const { email, pending_email: pending } = user;
  if (email === undefined && pending === undefined) {
    return <p class="hint">{hasMail.value === true ? words.noEmail : words.noEmailNoMail}</p>;
  }
  return (
    <>
      {email !== undefined && <p>{email}</p>}
      {pending !== undefined && <p class="hint">{words.pendingEmail(pending)}</p>}
      {hasMail.value !== false ? (
        <div class="form-end">
          {email !== undefined && (
            <span class={user.email_verified ? 'badge badge-good' : 'badge'}>
              {user.email_verified ? words.verified : words.unverified}
            </span>
          )}
          {(!user.email_verified || pending !== undefined) && (
            <>
              <CodeButton own={own} />
              <a href={ownPath(webPath('verifyEmail', {}))}>{words.enterCode}</a>
            </>
          )}
        </div>
      ) : (
        <p class="hint">{words.noMail}</p>
      )}
    </>
  );
}

function CodeButton({ own }: Pick<EmailProps, 'own'>) {
  const { account: words } = useAccountText();
  const describing = useDescribing();
  const [said, setSaid] = useState<string | undefined>(undefined);
  const send = () =>
    void own.sendEmailCode().then(
      () => setSaid(words.codeSent),
      (error: unknown) => setSaid(describeProblems(error, [], describing).form),
    );
  return (
    <>
      <button type="button" class="link-button" onClick={send}>
        {words.sendCode}
      </button>
      <span class="hint" role="status">
        {said}
      </span>
    </>
  );
}

interface FormProps extends EmailProps {
  readonly onDone: (sentence: string) => void;
}

/** Changes the address. */
export function EmailForm({ own, user, onDone }: FormProps) {
  const { hasMail } = useInstance();
  const { account: words, settings } = useAccountText();
  const describing = useDescribing();
  const form = useForm({
    initial: { email: '', current_password: '' },
    check: ({ email, current_password: password }) => ({
      email: checkEmail(email, describing.account.field),
      current_password: password === '' ? describing.account.field.missing : undefined,
    }),
    async submit({ email, current_password }) {
      const changed = await own.change({ email: email.trim(), current_password });
      const { pending_email: pending } = changed;
      onDone(pending === undefined ? words.emailChanged(changed.email ?? '') : words.codeSent);
    },
  });
  return (
    <Form form={form} action={settings.save}>
      <NamedFor username={user.username} />
      <Field
        field={form.field('email')}
        label={words.newEmail}
        hint={hasMail.value === true ? words.newEmailHint : undefined}
        type="email"
        inputmode="email"
        autocomplete="email"
        isFirst
      />
      <PasswordField
        field={form.field('current_password')}
        label={words.currentPassword}
        autocomplete="current-password"
      />
    </Form>
  );
}
