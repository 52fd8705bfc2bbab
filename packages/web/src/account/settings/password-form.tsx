import type { OwnUser } from '@hearth/protocol/schemas';
import { checkNewPassword } from '../checks.ts';
import { useDescribing } from '../describe-problems.ts';
import { NamedFor, PasswordField } from '../field.tsx';
import type { OwnAccount } from '../own-account.ts';
import { useAccountText } from '../use-account-text.ts';
import { Form } from '../form.tsx';
import { useForm } from '../use-form.ts';

interface PasswordProps {
  readonly own: OwnAccount;
  readonly user: OwnUser;
  readonly onDone: () => void;
}

/** Changes the password, which ends all other sessions. */
export function PasswordForm({ own, user, onDone }: PasswordProps) {
  const { account: words, settings } = useAccountText();
  const describing = useDescribing();
  const { field } = describing.account;
  const form = useForm({
    initial: { current_password: '', password: '' },
    check: ({ current_password: current, password }) => ({
      current_password: current === '' ? field.missing : undefined,
      password: checkNewPassword(password, field),
    }),
    async submit({ current_password, password }) {
      await own.change({ current_password, password });
      onDone();
    },
  });
  return (
    <Form form={form} action={settings.save}>
      <NamedFor username={user.username} />
      <PasswordField
        field={form.field('current_password')}
        label={words.currentPassword}
        autocomplete="current-password"
        isFirst
      />
      <PasswordField
        field={form.field('password')}
        label={words.newPassword}
        hint={words.passwordHint}
        autocomplete="new-password"
      />
    </Form>
  );
}
