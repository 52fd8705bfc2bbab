import { useState } from 'preact/hooks';
import { Field, PasswordField } from '../../account/field.tsx';
import { Form } from '../../account/form.tsx';
import { useForm } from '../../account/use-form.ts';
import { useNavigation } from '../../ui/use-navigation.ts';
import type { MyCommunity } from '@hearth/sdk';
import { communityPath } from '../paths.ts';
import { useCommunities } from '../use-communities.ts';
import { useSettingsText } from './use-settings-text.ts';

/** Deletes a community, after its address and then the password were entered. Its page then offers to bring it back. */
export function DeleteForm({ community }: { readonly community: MyCommunity }) {
  const communities = useCommunities();
  const { leave: words } = useSettingsText();
  const navigation = useNavigation();
  const [isConfirmed, setIsConfirmed] = useState(false);
  const { slug } = community;
  const form = useForm({
    initial: { slug: '', current_password: '' },
    check: (typed) => ({
      slug: typed.slug.trim().toLowerCase() === slug ? undefined : words.deleteSlugWrong,
      current_password:
        isConfirmed && typed.current_password === '' ? words.passwordMissing : undefined,
    }),
    async submit({ current_password }) {
      if (!isConfirmed) {
        setIsConfirmed(true);
        return;
      }
      await communities.delete(community, current_password);
      navigation.goTo(navigation.urlOf(communityPath(slug)), { isReplacing: true });
    },
  });
  return (
    <Form form={form} action={isConfirmed ? words.deleteConfirm : words.deleteNext} look="danger">
      <Field field={form.field('slug')} label={words.deleteSlug(slug)} autocomplete="off" />
      {isConfirmed && (
        <PasswordField
          field={form.field('current_password')}
          label={words.password}
          autocomplete="current-password"
          isFirst
        />
      )}
    </Form>
  );
}
