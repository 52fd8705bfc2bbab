import { useState } from 'preact/hooks';
import { countCodePoints, type MyCommunity } from '@hearth/sdk';
import { JOIN_MODES, MOST_COMMUNITY_TEXT_CHARACTERS, VISIBILITIES } from '@hearth/protocol/schemas';
import { FormProblem } from '../../account/account-card.tsx';
import { describeProblems, useDescribing } from '../../account/describe-problems.ts';
import { Field, Submit, TextArea } from '../../account/field.tsx';
import { useForm, type Typed } from '../../account/use-form.ts';
import { CardChoice } from '../../ui/card-choice.tsx';
import { checkCommunityName, checkSlug } from '../checks.ts';
import { describeFailure } from '../describe-failure.ts';
import { offeredKinds } from '../offered-kinds.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { changeOf, withFittingJoin, type CommunityForm } from './community-change.ts';
import { PicturesField } from './pictures-field.tsx';
import { useSettingsText } from './use-settings-text.ts';

const FIELDS = ['name', 'slug', 'description', 'kind', 'visibility', 'join'] as const;

/** What a community is called and says of itself, and who finds and joins it. */
export function OverviewPage({ community }: { readonly community: MyCommunity }) {
  const words = useSettingsText();
  const { create } = useCommunityText();
  const { form, isSaved } = useOverviewForm(community);
  const { typed } = form;
  const choose = (part: Partial<Typed<(typeof FIELDS)[number]>>) =>
    form.change(withFittingJoin({ ...typed, ...part }));
  return (
    <>
      <PicturesField community={community} />
      <form ref={form.ref} class="account-form" method="post" noValidate onSubmit={form.onSubmit}>
        <FormProblem problem={form.problem} />
        <Field
          field={form.field('name')}
          label={create.name}
          hint={create.nameHint}
          autocomplete="off"
          isProse
        />
        <TextArea
          field={form.field('description')}
          label={words.overview.description}
          hint={words.overview.descriptionHint}
          rows={4}
        />
        <Field
          field={form.field('slug')}
          label={create.slug}
          hint={words.overview.slugHint}
          autocomplete="off"
        />
        <Choices typed={typed} community={community} onChoose={choose} />
        <div class="form-end settings-save">
          <Submit label={words.save} isBusy={form.isBusy} />
          <p class="success" role="status">
            {isSaved && words.saved}
          </p>
        </div>
      </form>
    </>
  );
}

interface ChoicesProps {
  readonly typed: CommunityForm;
  readonly community: MyCommunity;
  readonly onChoose: (part: Partial<CommunityForm>) => void;
}

/** Who finds the community, who joins it, and what for. */
function Choices({ typed, community, onChoose }: ChoicesProps) {
  const { create, frame } = useCommunityText();
  const kinds = offeredKinds();
  return (
    <>
      <CardChoice
        label={create.visibility}
        values={VISIBILITIES}
        names={frame.visibilities}
        hints={create.visibilityHints}
        value={oneOf(VISIBILITIES, typed.visibility, community.visibility)}
        onChange={(visibility) => onChoose({ visibility })}
      />
      <CardChoice
        label={create.join}
        values={JOIN_MODES}
        names={frame.joins}
        hints={create.joinHints}
        value={oneOf(JOIN_MODES, typed.join, community.join)}
        isDisabled={(value) => value === 'open' && typed.visibility === 'private'}
        onChange={(join) => onChoose({ join })}
      />
      {kinds.length > 1 && (
        <CardChoice
          label={create.kind}
          values={kinds}
          names={create.kinds}
          hints={create.kindHints}
          value={oneOf(kinds, typed.kind, community.kind)}
          onChange={(kind) => onChoose({ kind })}
        />
      )}
    </>
  );
}

/** One of the values; the usual one if it is none of them. */
function oneOf<Value extends string>(values: readonly Value[], value: string, usual: Value): Value {
  return values.find((each) => each === value) ?? usual;
}

function useOverviewForm(community: MyCommunity) {
  const { requests } = useCommunities();
  const describing = useDescribing();
  const words = useSettingsText();
  const { create, errors } = useCommunityText();
  const [before, setBefore] = useState(() => ({
    name: community.name,
    slug: community.slug,
    description: community.description ?? '',
    kind: community.kind as string,
    visibility: community.visibility as string,
    join: community.join as string,
  }));
  const [saved, setSaved] = useState<typeof before | undefined>(undefined);
  const form = useForm<(typeof FIELDS)[number]>({
    initial: before,
    check: ({ name, slug, description }) => ({
      name: checkCommunityName(name, create),
      slug: slug === before.slug ? undefined : checkSlug(slug, create),
      description:
        countCodePoints(description.trim()) > MOST_COMMUNITY_TEXT_CHARACTERS
          ? words.overview.descriptionLong
          : undefined,
    }),
    async submit(typed) {
      await requests.change(community.id, changeOf(before, typed));
      const now = { ...before, ...typed };
      setBefore(now);
      setSaved(form.typed);
    },
    describe(error) {
      const problem = describeFailure(error, {
        words: errors,
        formats: describing.formats,
        permissions: words.permissions.names,
      });
      if (problem === undefined) return describeProblems(error, FIELDS, describing);
      return { form: problem };
    },
  });
  return { form, isSaved: saved !== undefined && saved === form.typed };
}
