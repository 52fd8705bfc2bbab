import { useState } from 'preact/hooks';
import type { OwnUser } from '@hearth/protocol/schemas';
import { useInstance } from '../../instance/use-instance.ts';
import { Switch } from '../../ui/switch.tsx';
import { describeProblems, useDescribing } from '../describe-problems.ts';
import type { OwnAccount } from '../own-account.ts';
import { useAccountText } from '../use-account-text.ts';

interface SignInMailProps {
  readonly own: OwnAccount;
  readonly user: OwnUser;
}

/** The choice whether a sign-in from a new place is reported by mail, if there can be mail. */
export function SignInMail({ own, user }: SignInMailProps) {
  const { hasMail } = useInstance();
  const { account: words } = useAccountText();
  const describing = useDescribing();
  const [wanted, setWanted] = useState<boolean | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  if (hasMail.value !== true || user.email === undefined) return null;
  const change = (isOn: boolean) => {
    setWanted(isOn);
    setProblem(undefined);
    own.changeSettings({ sign_in_mail: isOn ? null : false }).catch((error: unknown) => {
      setWanted(undefined);
      setProblem(describeProblems(error, [], describing).form);
    });
  };
  return (
    <section class="settings-row">
      <Switch
        label={words.signInMail}
        hint={words.signInMailHint}
        isOn={wanted ?? user.settings['sign_in_mail'] !== false}
        onChange={change}
      />
      <p class="problem" role="alert">
        {problem}
      </p>
    </section>
  );
}
