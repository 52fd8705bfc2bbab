import { useState, type Dispatch } from 'preact/hooks';
import type { OwnUser } from '@hearth/protocol/schemas';
import type { OwnAccount } from '../own-account.ts';
import { useAccountText } from '../use-account-text.ts';
import { EmailForm, EmailState } from './email.tsx';
import { FactorRemoval, FactorSetUp } from './factor.tsx';
import { ExportRow } from './export-row.tsx';
import { LeaveForm } from './leave-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { SignInMail } from './sign-in-mail.tsx';
import { SettingsRow } from './settings-row.tsx';

interface SectionProps {
  readonly own: OwnAccount;
  readonly user: OwnUser;
}

/** The part that is being changed. */
type Part = 'email' | 'password' | 'factor' | 'leave';

/** Shows how the reader signs in, and how to take their data along and leave. */
export function AccountSection({ own, user }: SectionProps) {
  const { account: words } = useAccountText();
  const [open, setOpen] = useState<Part | undefined>(undefined);
  const [said, setSaid] = useState('');
  const rowOf = (part: Part) => rowState({ part, open, setOpen, setSaid });
  const done = (sentence: string) => {
    setOpen(undefined);
    setSaid(sentence);
  };
  return (
    <div class="settings-rows">
      <p class="success" role="status">
        {said}
      </p>
      <SettingsRow label={words.username} value={`@${user.username}`} />
      <SettingsRow
        label={words.email}
        value={<EmailState own={own} user={user} />}
        action={user.email === undefined ? words.addEmail : words.changeEmail}
        {...rowOf('email')}
      >
        <EmailForm own={own} user={user} onDone={done} />
      </SettingsRow>
      <SettingsRow
        label={words.password}
        value="••••••••"
        action={words.changePassword}
        {...rowOf('password')}
      >
        <PasswordForm own={own} user={user} onDone={() => done(words.passwordChanged)} />
      </SettingsRow>
      <FactorRow own={own} user={user} row={rowOf('factor')} onDone={() => done('')} />
      <SignInMail own={own} user={user} />
      <ExportRow />
      <SettingsRow
        label={words.leave}
        value={<span class="hint">{words.leaveHint}</span>}
        action={words.leave}
        look="danger"
        {...rowOf('leave')}
      >
        <LeaveForm own={own} user={user} />
      </SettingsRow>
    </div>
  );
}

interface FactorRowProps extends SectionProps {
  readonly row: ReturnType<typeof rowState>;
  readonly onDone: () => void;
}

function FactorRow({ own, user, row, onDone }: FactorRowProps) {
  const { account: words } = useAccountText();
  const [isSettingUp, setIsSettingUp] = useState(false);
  const isOn = user.factors.includes('totp');
  // The recovery codes are shown after it is in force.
  const isSetUp = isOn && !isSettingUp;
  return (
    <SettingsRow
      label={words.factor}
      value={<span class="hint">{isOn ? words.factorOn : words.factorOff}</span>}
      // The codes must not be lost by a press on a button.
      action={isOn && isSettingUp ? undefined : isSetUp ? words.removeFactor : words.setUpFactor}
      {...row}
    >
      {isSetUp ? (
        <FactorRemoval own={own} user={user} onDone={onDone} />
      ) : (
        <FactorSetUp
          own={own}
          user={user}
          onBegun={() => setIsSettingUp(true)}
          onDone={() => {
            setIsSettingUp(false);
            onDone();
          }}
        />
      )}
    </SettingsRow>
  );
}

interface Opening {
  readonly part: Part;
  readonly open: Part | undefined;
  readonly setOpen: Dispatch<Part | undefined>;
  readonly setSaid: Dispatch<string>;
}

function rowState({ part, open, setOpen, setSaid }: Opening) {
  return {
    isOpen: open === part,
    onToggle: () => {
      setSaid('');
      setOpen(open === part ? undefined : part);
    },
  };
}
