import { useId } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import type { OwnUser } from '@hearth/protocol/schemas';
import { ConflictError } from '@hearth/sdk';
import { loadAt } from '../../lib/own-path.ts';
import { useDescribing } from '../describe-problems.ts';
import { NamedFor, PasswordField } from '../field.tsx';
import type { OwnAccount } from '../own-account.ts';
import { useAccountText } from '../use-account-text.ts';
import { Form } from '../form.tsx';
import { useForm, type FormField } from '../use-form.ts';

interface LeaveProps {
  readonly own: OwnAccount;
  readonly user: OwnUser;
}

/** Deletes the account, after it has said what happens then. */
export function LeaveForm({ own, user }: LeaveProps) {
  const { account, leave: words } = useAccountText();
  const describing = useDescribing();
  const { field } = describing.account;
  const form = useForm({
    initial: { content: '', current_password: '' },
    check: ({ content, current_password: password }) => ({
      content: content === '' ? field.missing : undefined,
      current_password: password === '' ? field.missing : undefined,
    }),
    async submit({ content, current_password }) {
      await own.delete({ content: content === 'erase' ? 'erase' : 'keep', current_password });
      loadAt(webPath('home', {}));
    },
    describe(error) {
      const owned = ownedCommunities(error);
      return owned === undefined ? undefined : { form: words.ownsCommunities(owned) };
    },
  });
  return (
    <Form
      form={form}
      action={words.confirm}
      look="danger"
      intro={
        <div>
          <p>{words.intro}</p>
          <ul class="leave-list">
            <li>{words.now}</li>
            <li>{words.name(user.username)}</li>
          </ul>
        </div>
      }
    >
      <ContentChoice field={form.field('content')} />
      <NamedFor username={user.username} />
      <PasswordField
        field={form.field('current_password')}
        label={account.currentPassword}
        autocomplete="current-password"
      />
      <p class="leave-final">{words.final}</p>
    </Form>
  );
}

/** The names of the communities that somebody has to give up first. The error ends with them (MB8). */
function ownedCommunities(error: unknown): string | undefined {
  if (!(error instanceof ConflictError) || error.code !== 'owns_communities') return undefined;
  return error.error.slice(error.error.indexOf(':') + 1).trim();
}

/** The choice what becomes of everything that was written. Nothing is chosen in advance. */
function ContentChoice({ field }: { readonly field: FormField }) {
  const { leave: words } = useAccountText();
  const id = useId();
  const choices = [
    ['keep', words.keep, words.keepHint],
    ['erase', words.erase, words.eraseHint],
  ] as const;
  return (
    <fieldset class="cards" aria-describedby={`${id}-problem`}>
      <legend>{words.question}</legend>
      {choices.map(([value, label, hint]) => (
        <div key={value} class="card-choice">
          <input
            id={`${id}-${value}`}
            type="radio"
            name={field.name}
            value={value}
            checked={field.value === value}
            data-is-invalid={field.problem !== undefined || undefined}
            aria-describedby={`${id}-${value}-hint`}
            onChange={() => field.onChange(value)}
          />
          <div>
            <label for={`${id}-${value}`}>{label}</label>
            <p id={`${id}-${value}-hint`} class="hint">
              {hint}
            </p>
          </div>
        </div>
      ))}
      <p id={`${id}-problem`} class="problem" role="alert">
        {field.problem}
      </p>
    </fieldset>
  );
}
