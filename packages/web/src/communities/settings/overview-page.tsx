import { countCodePoints, type MyCommunity } from '@hearth/sdk';
import { JOIN_MODES, MOST_COMMUNITY_TEXT_CHARACTERS, VISIBILITIES } from '@hearth/protocol/schemas';
import { Field, TextArea } from '../../account/field.tsx';
import { Form } from '../../account/form.tsx';
import { CardChoice } from '../../ui/card-choice.tsx';
import { checkCommunityName, checkSlug } from '../checks.ts';
import { offeredKinds } from '../offered-kinds.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { changeOf, withFittingJoin, type CommunityForm } from './community-change.ts';
import { PicturesField } from './pictures-field.tsx';
import { useSettingsForm } from './use-settings-form.ts';
import { useSettingsText } from './use-settings-text.ts';

/** The fields for what a community is called and says of itself, and who finds and joins it. */
export function OverviewPage({ community }: { readonly community: MyCommunity }) {
  const words = useSettingsText();
  const { create } = useCommunityText();
  const form = useOverviewForm(community);
  const { draft } = form;
  const choose = (part: Partial<CommunityForm>) =>
    form.change(withFittingJoin({ ...draft, ...part }));
  return (
    <>
      <PicturesField community={community} />
      <Form form={form} action={words.save} isLasting isLong>
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
        <Choices typed={draft} community={community} onChoose={choose} />
      </Form>
    </>
  );
}

interface ChoicesProps {
  readonly typed: CommunityForm;
  readonly community: MyCommunity;
  readonly onChoose: (part: Partial<CommunityForm>) => void;
}

/** The choices who finds the community, who joins it, and what for. */
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
  const words = useSettingsText();
  const { create } = useCommunityText();
  return useSettingsForm<CommunityForm>({
    initial: {
      name: community.name,
      slug: community.slug,
      description: community.description ?? '',
      kind: community.kind,
      visibility: community.visibility,
      join: community.join,
    },
    check: ({ name, slug, description }, before) => ({
      name: checkCommunityName(name, create),
      slug: slug === before.slug ? undefined : checkSlug(slug, create),
      description:
        countCodePoints(description.trim()) > MOST_COMMUNITY_TEXT_CHARACTERS
          ? words.overview.descriptionLong
          : undefined,
    }),
    async submit(draft, before) {
      await requests.change(community.id, changeOf(before, draft));
    },
  });
}
