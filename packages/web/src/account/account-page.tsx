import { useState } from 'preact/hooks';
import { inviteCodeIn, webPath } from '@hearth/protocol';
import { useInstance } from '../instance/use-instance.ts';
import { loadAt } from '../lib/own-path.ts';
import { ForgottenView } from './forgotten-view.tsx';
import { RegisterView } from './register-view.tsx';
import { takeReturnPath } from './return-path.ts';
import { ResetView } from './reset-view.tsx';
import { SignInView } from './sign-in-view.tsx';
import { useAccounts } from './use-accounts.ts';
import { useAccountText } from './use-account-text.ts';
import { VerifyView } from './verify-view.tsx';

/** A page about having an account. */
export type AccountPageKind =
  | 'signIn'
  | 'register'
  | 'forgottenPassword'
  | 'resetPassword'
  | 'verifyEmail';

interface AccountPageProps {
  readonly page: AccountPageKind;
  /** The code of the invite in the path. */
  readonly invite: string | undefined;
  /** The name of the community that it is to, if it is to one. */
  readonly community?: string | undefined;
  /** True if the page that the address names is shown after signing in. */
  readonly isInTheWay: boolean;
}

/** The page that the address names. What was typed to sign in is kept from one to the next. Loaded on use. */
export function AccountPage({ page, invite, community, isInTheWay }: AccountPageProps) {
  const accounts = useAccounts();
  const { lobby } = useInstance();
  const { signIn: words, verify } = useAccountText();
  const account = accounts.current.value;
  const isEnded = account !== undefined && account.token === undefined;
  const [typed, setTyped] = useState({ username: isEnded ? account.username : '', password: '' });
  const isOptional = lobby.value === 'open';
  const goHome = (joinedPath?: string) => {
    const path = takeReturnPath();
    loadAt(joinedPath ?? path ?? webPath('home', {}));
  };
  const stay = () => location.reload();
  const signIn = (reason: string | undefined, onDone = goHome) => (
    <SignInView
      initial={typed}
      onTyped={setTyped}
      reason={isEnded ? words.again : reason}
      isOptional={isOptional}
      onDone={() => onDone()}
    />
  );
  if (isInTheWay) return signIn(words.first, stay);
  const code = location.hash.slice(1);
  switch (page) {
    case 'signIn':
      return signIn(isOptional ? undefined : words.needed);
    case 'register':
      return (
        <RegisterView
          initial={typed}
          invite={invite ?? inviteCodeIn(location.hash)}
          community={community}
          onTyped={setTyped}
          onDone={goHome}
        />
      );
    case 'forgottenPassword':
      return <ForgottenView identity={typed.username} />;
    case 'resetPassword':
      return <ResetView linked={code} />;
    case 'verifyEmail':
      return account?.token === undefined ? (
        signIn(verify.signInFirst, stay)
      ) : (
        <VerifyView linked={code} />
      );
  }
}
