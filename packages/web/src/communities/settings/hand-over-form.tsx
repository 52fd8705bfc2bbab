import { ValidationError, type MyCommunity } from '@hearth/sdk';
import { checkFilled } from '../../account/checks.ts';
import { useDescribing } from '../../account/describe-problems.ts';
import { Field, PasswordField } from '../../account/field.tsx';
import { Form } from '../../account/form.tsx';
import { useForm } from '../../account/use-form.ts';
import { useCommunities } from '../use-communities.ts';
import { useSettingsText } from './use-settings-text.ts';

interface FormProps {
  readonly community: MyCommunity;
  readonly onDone: () => void;
}

/** No member has the name that was typed. */
class UnknownMemberError extends Error {
  override readonly name = 'UnknownMemberError';
}

/** Gives a community to another member. */
export function HandOverForm({ community, onDone }: FormProps) {
  const { requests } = useCommunities();
  const { leave: words } = useSettingsText();
  const describing = useDescribing();
  const form = useForm({
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
      const isOfUser = error instanceof ValidationError && error.fieldName === 'user_id';
      const isUnknown = isOfUser || error instanceof UnknownMemberError;
      return isUnknown ? { user: words.handOverUnknown } : undefined;
    },
  });
  return (
    <Form form={form} action={words.handOver} look="danger">
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
    </Form>
  );
}
