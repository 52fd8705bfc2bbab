import { useState } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import { identityOf, UnauthorizedError } from '@hearth/sdk';
import { useInstance } from '../instance/use-instance.ts';
import { ownPath } from '../lib/own-path.ts';
import { AccountCard } from './account-card.tsx';
import { checkFilled } from './checks.ts';
import { useDescribing } from './describe-problems.ts';
import { FactorStep } from './factor-step.tsx';
import { Field, PasswordField } from './field.tsx';
import { useAccountText } from './use-account-text.ts';
import { Form } from './form.tsx';
import { useForm } from './use-form.ts';
import { useSigningIn } from './use-signing-in.ts';

/** The texts that can be typed to sign in. */
export interface SignInTyped {
  readonly username: string;
  readonly password: string;
}

interface SignInProps {
  readonly initial: SignInTyped;
  /** Called with what was typed, so that another view can go on with it. */
  readonly onTyped: (typed: SignInTyped) => void;
  /** Why it is asked for. */
  readonly reason?: string | undefined;
  /** True if there is a way around it. */
  readonly isOptional: boolean;
  /** Called when the account is kept. */
  readonly onDone: () => void;
}

/** Signs in: name and password, then a code if the account has a second factor. */
export function SignInView({ initial, onTyped, reason, isOptional, onDone }: SignInProps) {
  const { info } = useInstance();
  const { signIn: words } = useAccountText();
  const { form, isFactorAsked, submitCode, leaveFactor } = useSignInForm(initial, onDone);
  const { draft } = form;
  const keepTyped = () => onTyped(draft);
  if (isFactorAsked) {
    return <FactorStep username={draft.username} onCode={submitCode} onBack={leaveFactor} />;
  }
  return (
    <AccountCard title={words.title(info.instance_name)} text={reason}>
      <Form form={form} action={words.submit}>
        <Field
          field={form.field('username')}
          label={words.identity}
          autocomplete="username"
          inputmode="email"
          isFirst={initial.username === ''}
        />
        <PasswordField
          field={form.field('password')}
          label={words.password}
          autocomplete="current-password"
          isFirst={initial.username !== ''}
        />
        <a
          class="account-aside"
          href={ownPath(webPath('forgottenPassword', {}))}
          onClick={keepTyped}
        >
          {words.forgotten}
        </a>
      </Form>
      <Others isOptional={isOptional} onClick={keepTyped} />
    </AccountCard>
  );
}

interface OthersProps {
  readonly isOptional: boolean;
  readonly onClick: () => void;
}

/** Shows what else somebody without a session can do. */
function Others({ isOptional, onClick }: OthersProps) {
  const { registration } = useInstance();
  const { signIn: words } = useAccountText();
  const canRegister = registration.value !== 'closed';
  if (!canRegister && !isOptional) return null;
  return (
    <div class="account-others">
      {canRegister && (
        <p>
          {words.noAccount}{' '}
          <a href={ownPath(webPath('register', {}))} onClick={onClick}>
            {words.register}
          </a>
        </p>
      )}
      {isOptional && (
        <p>
          <a href={ownPath(webPath('home', {}))}>{words.asVisitor}</a>
        </p>
      )}
    </div>
  );
}

function useSignInForm(initial: SignInTyped, onDone: () => void) {
  const signIn = useSigningIn();
  const describing = useDescribing();
  const { field } = describing.account;
  const [isFactorAsked, setIsFactorAsked] = useState(false);
  const form = useForm({
    initial,
    check: ({ username, password }) => ({
      username: checkFilled(username, field),
      password: password === '' ? field.missing : undefined,
    }),
    async submit({ username, password }) {
      try {
        await signIn({ ...identityOf(username), password });
        onDone();
      } catch (error) {
        if (!(error instanceof UnauthorizedError) || error.code !== 'factor_required') throw error;
        setIsFactorAsked(true);
      }
    },
  });
  const submitCode = async (code: string) => {
    const { username, password } = form.draft;
    await signIn({ ...identityOf(username), password, code });
    onDone();
  };
  return { form, isFactorAsked, submitCode, leaveFactor: () => setIsFactorAsked(false) };
}
