import { ValidationError, type MyCommunity } from '@hearth/sdk';
import { FormProblem } from '../../account/account-card.tsx';
import { checkFilled } from '../../account/checks.ts';
import { describeProblems, useDescribing } from '../../account/describe-problems.ts';
import { Field, PasswordField, Submit } from '../../account/field.tsx';
import { useForm } from '../../account/use-form.ts';
import { useCommunities } from '../use-communities.ts';
import { useSettingsText } from './use-settings-text.ts';

interface FormProps {
  readonly community: MyCommunity;
  readonly onDone: () => void;
}

const FIELDS = ['user', 'current_password'] as const;

/** No member has the name that was typed. */
class UnknownMemberError extends Error {
  override readonly name = 'UnknownMemberError';
}

/** Gives a community to another member. */
export function HandOverForm({ community, onDone }: FormProps) {
  const { requests } = useCommunities();
  const { leave: words } = useSettingsText();
  const describing = useDescribing();
  const form = useForm<(typeof FIELDS)[number]>({
    initial: { user: '', current_password: '' },
    check: ({ user, current_password: password }) => ({
      user: checkFilled(user, describing.account.field),
      current_password: password === '' ? words.passwordMissing : undefined,
    }),
    async submit({ user, current_password }) {
      const username = user.trim().replace(/^@/, '').toLowerCase();
      const { entries } = await requests.members(community.id, { q: username });
      const found = entries.find((member) => member.user.username === username);
      if (found === undefined) throw new UnknownMemberError();
      await requests.handOver(community.id, { user_id: found.user.id, current_password });
      onDone();
    },
    describe: (error) => {
      if (error instanceof UnknownMemberError) return { user: words.handOverUnknown };
      const isOfUser = error instanceof ValidationError && error.fieldName === 'user_id';
      if (isOfUser) return { user: words.handOverUnknown };
      return describeProblems(error, FIELDS, describing);
    },
  });
  return (
    <form ref={form.ref} class="account-form" method="post" noValidate onSubmit={form.onSubmit}>
      <FormProblem problem={form.problem} />
      <Field
        field={form.field('user')}
        label={words.handOverTo}
        hint={words.handOverToHint}
        autocomplete="off"
      />
      <PasswordField
        field={form.field('current_password')}
        label={words.password}
        autocomplete="current-password"
      />
      <Submit label={words.handOver} isBusy={form.isBusy} look="danger" />
    </form>
  );
}
