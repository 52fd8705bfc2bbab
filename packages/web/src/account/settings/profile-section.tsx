import { useState } from 'preact/hooks';
import { countCodePoints } from '@hearth/sdk';
import {
  MOST_BIO_CHARACTERS,
  MOST_DISPLAY_NAME_CHARACTERS,
  MOST_PRONOUNS_CHARACTERS,
  type OwnUser,
} from '@hearth/protocol/schemas';
import { ProfileCard } from '../../user/profile-card.tsx';
import { useFormats } from '../../text/use-text.ts';
import { FormProblem } from '../account-card.tsx';
import { describeProblems, useDescribing } from '../describe-problems.ts';
import { Field, Submit, TextArea } from '../field.tsx';
import type { OwnAccount } from '../own-account.ts';
import { useAccountText } from '../use-account-text.ts';
import { useForm, type Typed } from '../use-form.ts';
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

/** What everyone sees of the reader. */
export function ProfileSection({ own, user }: SectionProps) {
  const { profile: words, settings, field } = useAccountText();
  const formats = useFormats();
  const { form, isSaved } = useProfileForm({ own, user });
  const { typed } = form;
  const left = MOST.bio - countCodePoints(typed.bio);
  return (
    <div class="profile-columns">
      <form ref={form.ref} class="account-form" method="post" noValidate onSubmit={form.onSubmit}>
        <PictureField own={own} user={user} />
        <FormProblem problem={form.problem} />
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
        <div class="form-end">
          <Submit label={settings.save} isBusy={form.isBusy} />
          <p class="success" role="status">
            {isSaved && settings.saved}
          </p>
        </div>
      </form>
      <aside class="profile-preview" aria-label={words.preview}>
        <p class="hint">{words.preview}</p>
        <ProfileCard
          user={{
            ...user,
            display_name: typedText(typed.display_name) || undefined,
            pronouns: typedText(typed.pronouns) || undefined,
            bio: typedText(typed.bio) || undefined,
          }}
        />
      </aside>
    </div>
  );
}

function useProfileForm({ own, user }: SectionProps) {
  const describing = useDescribing();
  const formats = useFormats();
  const [saved, setSaved] = useState<Typed<FieldName> | undefined>(undefined);
  const [before, setBefore] = useState<Typed<FieldName>>(() => ({
    display_name: user.display_name ?? '',
    pronouns: user.pronouns ?? '',
    bio: user.bio ?? '',
  }));
  const form = useForm<FieldName>({
    initial: before,
    check: (typed) =>
      Object.fromEntries(
        FIELDS.filter((name) => countCodePoints(typed[name].trim()) > MOST[name]).map((name) => [
          name,
          describing.account.field.tooLong(formats.count(MOST[name])),
        ]),
      ),
    async submit(typed) {
      // Only these, so that what was changed on another device meanwhile stays.
      const changed = FIELDS.filter((name) => typed[name] !== before[name]);
      await own.change(
        Object.fromEntries(changed.map((name) => [name, typedText(typed[name]) || null])),
      );
      setBefore(typed);
      setSaved(typed);
    },
    describe: (error) => describeProblems(error, FIELDS, describing),
  });
  return { form, isSaved: saved !== undefined && saved === form.typed };
}
