import { countCodePoints } from '@hearth/sdk';
import {
  MOST_BIO_CHARACTERS,
  MOST_DISPLAY_NAME_CHARACTERS,
  MOST_PRONOUNS_CHARACTERS,
  type OwnUser,
} from '@hearth/protocol/schemas';
import { ProfileCard } from '../../user/profile-card.tsx';
import { useFormats } from '../../text/use-text.ts';
import { Field, TextArea } from '../field.tsx';
import { Form } from '../form.tsx';
import type { OwnAccount } from '../own-account.ts';
import { useAccountText } from '../use-account-text.ts';
import { useForm } from '../use-form.ts';
import { PictureField } from './picture-field.tsx';
import { typedText } from '../../lib/typed-text.ts';

const FIELDS = ['display_name', 'pronouns', 'bio'] as const;

type FieldName = (typeof FIELDS)[number];

const MOST: Readonly<Record<FieldName, number>> = {
  display_name: MOST_DISPLAY_NAME_CHARACTERS,
  pronouns: MOST_PRONOUNS_CHARACTERS,
  bio: MOST_BIO_CHARACTERS,
};

interface SectionProps {
  readonly own: OwnAccount;
  readonly user: OwnUser;
}

/** The fields for what everyone sees of the reader. */
export function ProfileSection({ own, user }: SectionProps) {
  const { profile: words, settings, field } = useAccountText();
  const formats = useFormats();
  const form = useProfileForm({ own, user });
  const { draft } = form;
  const left = MOST.bio - countCodePoints(draft.bio);
  return (
    <div class="profile-columns">
      <Form
        form={form}
        action={settings.save}
        isLasting
        intro={<PictureField own={own} user={user} />}
      >
        <Field
          field={form.field('display_name')}
          label={words.displayName}
          placeholder={user.username}
          hint={words.displayNameHint}
          autocomplete="nickname"
          isProse
        />
        <Field
          field={form.field('pronouns')}
          label={words.pronouns}
          hint={words.pronounsHint}
          autocomplete="off"
          isProse
        />
        <TextArea
          field={form.field('bio')}
          label={words.bio}
          hint={left < 100 ? field.charactersLeft(formats.count(left)) : words.bioHint}
          rows={4}
        />
      </Form>
      <aside class="profile-preview" aria-label={words.preview}>
        <p class="hint">{words.preview}</p>
        <ProfileCard
          user={{
            ...user,
            display_name: typedText(draft.display_name) || undefined,
            pronouns: typedText(draft.pronouns) || undefined,
            bio: typedText(draft.bio) || undefined,
          }}
        />
      </aside>
    </div>
  );
}

function useProfileForm({ own, user }: SectionProps) {
  const { field } = useAccountText();
  const formats = useFormats();
  return useForm({
    initial: {
      display_name: user.display_name ?? '',
      pronouns: user.pronouns ?? '',
      bio: user.bio ?? '',
    },
    check: (draft) =>
      Object.fromEntries(
        FIELDS.filter((name) => countCodePoints(draft[name].trim()) > MOST[name]).map((name) => [
          name,
          field.tooLong(formats.count(MOST[name])),
        ]),
      ),
    async submit(draft, before) {
      // Only these, so that what was changed on another device meanwhile stays.
      const changed = FIELDS.filter((name) => draft[name] !== before[name]);
      await own.change(
        Object.fromEntries(changed.map((name) => [name, typedText(draft[name]) || null])),
      );
    },
  });
}
