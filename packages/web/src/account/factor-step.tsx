import { useState } from 'preact/hooks';
import { UnauthorizedError } from '@hearth/sdk';
import { AccountCard } from './account-card.tsx';
import { checkFilled } from './checks.ts';
import { useDescribing } from './describe-problems.ts';
import { Field, NamedFor } from './field.tsx';
import { useAccountText } from './use-account-text.ts';
import { Form } from './form.tsx';
import { useForm } from './use-form.ts';

interface FactorProps {
  /** The name of the person who signs in, for password managers. */
  readonly username: string;
  /** Signs in with the code. */
  readonly onCode: (code: string) => Promise<void>;
  readonly onBack: () => void;
}

/** Asks for a code of the second factor. */
export function FactorStep({ username, onCode, onBack }: FactorProps) {
  const { factor: words } = useAccountText();
  const describing = useDescribing();
  const [isRecovery, setIsRecovery] = useState(false);
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: checkFilled(code, describing.account.field) }),
    submit: ({ code }) => onCode(code.trim()),
    describe: (error) => (error instanceof UnauthorizedError ? { code: words.wrong } : undefined),
  });
  return (
    <AccountCard title={words.title}>
      <Form form={form} action={words.submit}>
        <NamedFor username={username} />
        <Field
          key={isRecovery ? 'recovery' : 'app'}
          field={form.field('code')}
          label={isRecovery ? words.recovery : words.code}
          hint={isRecovery ? words.recoveryHint : words.codeHint}
          autocomplete={isRecovery ? 'off' : 'one-time-code'}
          inputmode={isRecovery ? 'text' : 'numeric'}
          isFirst
        />
      </Form>
      <div class="account-others">
        <p>
          <button
            type="button"
            class="link-button"
            onClick={() => {
              form.change({ code: '' });
              setIsRecovery(!isRecovery);
            }}
          >
            {isRecovery ? words.useApp : words.useRecovery}
          </button>
        </p>
        <p>
          <button type="button" class="link-button" onClick={onBack}>
            {words.back}
          </button>
        </p>
      </div>
    </AccountCard>
  );
}
