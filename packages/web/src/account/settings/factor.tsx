import { useState } from 'preact/hooks';
import type { OwnUser } from '@hearth/protocol/schemas';
import type { TotpSecret } from '@hearth/sdk';
import { checkFilled } from '../checks.ts';
import { useDescribing } from '../describe-problems.ts';
import { Field, NamedFor, PasswordField } from '../field.tsx';
import type { OwnAccount } from '../own-account.ts';
import { useAccountText } from '../use-account-text.ts';
import { Form } from '../form.tsx';
import { useForm } from '../use-form.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface FactorProps {
  readonly own: OwnAccount;
  readonly user: OwnUser;
  readonly onDone: () => void;
}

interface SetUpProps extends FactorProps {
  /** Called before it is in force. */
  readonly onBegun: () => void;
}

/** Sets up a second factor: the password, then the code of an app, then the recovery codes. */
export function FactorSetUp({ own, user, onBegun, onDone }: SetUpProps) {
  const [secret, setSecret] = useState<TotpSecret | undefined>(undefined);
  const [codes, setCodes] = useState<readonly string[] | undefined>(undefined);
  if (codes !== undefined) {
    return <RecoveryCodes username={user.username} codes={codes} onDone={onDone} />;
  }
  if (secret === undefined) return <PasswordStep own={own} user={user} onSecret={setSecret} />;
  const confirm = async (code: string) => {
    onBegun();
    setCodes(await own.confirmFactor(code));
  };
  return <ScanStep secret={secret} onCode={confirm} />;
}

interface PasswordStepProps extends Omit<FactorProps, 'onDone'> {
  readonly onSecret: (secret: TotpSecret) => void;
}

function PasswordStep({ own, user, onSecret }: PasswordStepProps) {
  const { account, totp: words } = useAccountText();
  const describing = useDescribing();
  const form = useForm({
    initial: { current_password: '' },
    check: ({ current_password: password }) => ({
      current_password: password === '' ? describing.account.field.missing : undefined,
    }),
    submit: async (typed) => onSecret(await own.beginFactor(typed.current_password)),
  });
  return (
    <Form form={form} action={words.next}>
      <NamedFor username={user.username} />
      <PasswordField
        field={form.field('current_password')}
        label={account.currentPassword}
        autocomplete="current-password"
        isFirst
      />
    </Form>
  );
}

interface ScanStepProps {
  readonly secret: TotpSecret;
  readonly onCode: (code: string) => Promise<void>;
}

function ScanStep({ secret, onCode }: ScanStepProps) {
  const { totp: words, account } = useAccountText();
  const describing = useDescribing();
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: checkFilled(code, describing.account.field) }),
    submit: ({ code }) => onCode(code.replaceAll(/\s/g, '')),
  });
  const spaced = secret.secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
  return (
    <Form
      form={form}
      action={words.confirm}
      intro={
        <>
          <p>{words.scanStep}</p>
          <QrCode text={secret.uri} label={words.qr} />
          <div>
            <p class="hint">{words.byHand}</p>
            <p class="secret">
              <code>{spaced}</code>
              <CopyButton class="icon-button" label={account.copyKey} text={secret.secret} />
            </p>
          </div>
        </>
      }
    >
      <Field
        field={form.field('code')}
        label={words.code}
        hint={words.codeStep}
        autocomplete="one-time-code"
        inputmode="numeric"
        isFirst
      />
    </Form>
  );
}

/** Removes the second factor. */
export function FactorRemoval({ own, user, onDone }: FactorProps) {
  const { account, totp: words } = useAccountText();
  const describing = useDescribing();
  const form = useForm({
    initial: { current_password: '', code: '' },
    check: ({ current_password: password, code }) => ({
      current_password: password === '' ? describing.account.field.missing : undefined,
      code: checkFilled(code, describing.account.field),
    }),
    async submit({ current_password: password, code }) {
      await own.removeFactor(password, code.trim());
      onDone();
    },
  });
  return (
    <Form form={form} action={words.remove} look="danger" intro={<p>{words.removeText}</p>}>
      <NamedFor username={user.username} />
      <PasswordField
        field={form.field('current_password')}
        label={account.currentPassword}
        autocomplete="current-password"
        isFirst
      />
      <Field field={form.field('code')} label={words.removeCode} autocomplete="one-time-code" />
    </Form>
  );
}
