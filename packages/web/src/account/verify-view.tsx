import { useEffect, useState } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import type { OwnUser } from '@hearth/protocol/schemas';
import { useClients } from '../connection/use-clients.ts';
import { describeError } from '../conversation/describe-error.ts';
import { ownPath } from '../lib/own-path.ts';
import { Form } from './form.tsx';
import { useFormats, useText } from '../text/use-text.ts';
import { AccountCard } from './account-card.tsx';
import { checkFilled } from './checks.ts';
import { isCodeRefused } from './describe-problems.ts';
import { Field } from './field.tsx';
import { useAccountText } from './use-account-text.ts';
import { useForm } from './use-form.ts';

type Outcome =
  | { readonly kind: 'working' }
  | { readonly kind: 'done'; readonly user: OwnUser }
  | { readonly kind: 'expired' }
  | { readonly kind: 'failed'; readonly error: unknown };

interface VerifyProps {
  /** The code in the address; empty if it has to be typed. */
  readonly linked: string;
}

/** Confirms the address of the reader's account with the code of a mail. */
export function VerifyView({ linked }: VerifyProps) {
  const [code, setCode] = useState(linked);
  return code === '' ? <CodeForm onCode={setCode} /> : <Verifying code={code} />;
}

function CodeForm({ onCode }: { readonly onCode: (code: string) => void }) {
  const { verify: words, reset, totp, field } = useAccountText();
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: checkFilled(code, field) }),
    submit: ({ code }) => Promise.resolve(onCode(code.trim())),
  });
  return (
    <AccountCard title={words.title}>
      <Form form={form} action={totp.next}>
        <Field
          field={form.field('code')}
          label={reset.code}
          hint={reset.codeHint}
          autocomplete="one-time-code"
          isFirst
        />
      </Form>
    </AccountCard>
  );
}

function Verifying({ code }: { readonly code: string }) {
  const { verify: words } = useAccountText();
  const text = useText();
  const formats = useFormats();
  const [outcome, retry] = useOutcome(code);
  switch (outcome.kind) {
    case 'working':
      return <AccountCard title={words.working} isFocused />;
    case 'done': {
      const { email = '' } = outcome.user;
      return (
        <AccountCard title={words.doneTitle} text={words.doneText(email)} isFocused>
          <a class="button button-primary" href={ownPath(webPath('home', {}))}>
            {words.toLobby}
          </a>
        </AccountCard>
      );
    }
    case 'expired':
      return (
        <AccountCard title={words.expiredTitle} text={words.expiredText} isFocused>
          <a
            class="button button-primary"
            href={ownPath(webPath('settingsPage', { page: 'account' }))}
          >
            {words.toSettings}
          </a>
        </AccountCard>
      );
    case 'failed':
      return (
        <AccountCard title={describeError(outcome.error, text, formats)} isFocused>
          <button type="button" class="button button-primary" onClick={retry}>
            {text.shell.asked.again}
          </button>
        </AccountCard>
      );
  }
}

/** Redeems the code, and again if that failed. */
function useOutcome(code: string): [Outcome, () => void] {
  const { client } = useClients();
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'working' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    setOutcome({ kind: 'working' });
    client.redeemEmailCode(code, ending).then(
      (user) => setOutcome({ kind: 'done', user }),
      (error: unknown) => {
        if (ending.signal.aborted) return;
        const isExpired = isCodeRefused(error);
        setOutcome(isExpired ? { kind: 'expired' } : { kind: 'failed', error });
      },
    );
    return () => ending.abort();
  }, [client, code, attempt]);
  return [outcome, () => setAttempt((before) => before + 1)];
}
