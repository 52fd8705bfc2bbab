import { JOIN_MODES, VISIBILITIES } from '@hearth/protocol/schemas';
import { Field, TextArea } from '../../account/field.tsx';
import { CardChoice } from '../../ui/card-choice.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { offeredKinds } from '../offered-kinds.ts';
import { communityPath } from '../paths.ts';
import { useCommunityText } from '../use-community-text.ts';
import { IconField } from './icon-field.tsx';
import type { Draft } from './new-community.ts';

/** The problems with the choices. */
export interface Problems {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
  readonly form?: string | undefined;
}

interface StepProps {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** The first step: what it is called, and how it looks. */
export function NameStep({ draft: { name, icon }, problems, onChange }: StepProps) {
  const { create: words } = useCommunityText();
  return (
    <>
      <IconField name={name} icon={icon} onChange={(chosen) => onChange({ icon: chosen })} />
      <Field
        field={{
          name: 'name',
          value: name,
          problem: problems.name,
          onChange: (value) => onChange({ name: value }),
        }}
        label={words.name}
        hint={words.nameHint}
        autocomplete="off"
        isProse
        isFirst
      />
    </>
  );
}

/** The second step: what it is for, and for whom. */
export function PurposeStep({ draft: { kind, visibility, join }, onChange }: StepProps) {
  const { create: words, frame } = useCommunityText();
  const kinds = offeredKinds();
  return (
    <>
      {kinds.length > 1 && (
        <CardChoice
          label={words.kind}
          values={kinds}
          names={words.kinds}
          hints={words.kindHints}
          value={kind}
          onChange={(value) => onChange({ kind: value })}
        />
      )}
      <CardChoice
        label={words.visibility}
        values={VISIBILITIES}
        names={frame.visibilities}
        hints={words.visibilityHints}
        value={visibility}
        onChange={(value) => onChange({ visibility: value })}
      />
      <CardChoice
        label={words.join}
        values={JOIN_MODES}
        names={frame.joins}
        hints={words.joinHints}
        value={join}
        isDisabled={(value) => value === 'open' && visibility === 'private'}
        onChange={(value) => onChange({ join: value })}
      />
    </>
  );
}

/** The third step: its address, and its first channels. */
export function PlaceStep({ draft: { slug, channels }, problems, onChange }: StepProps) {
  const { create: words } = useCommunityText();
  const navigation = useNavigation();
  const isFine = problems.slug === undefined && slug.trim() !== '';
  const address = navigation
    .urlOf(communityPath(slug.trim().toLowerCase()))
    .replace(/^https?:\/\//, '');
  return (
    <>
      <Field
        field={{
          name: 'slug',
          value: slug,
          problem: problems.slug,
          onChange: (value) => onChange({ slug: value, isSlugOwn: true }),
        }}
        label={words.slug}
        hint={isFine ? words.slugShown(address) : words.slugHint}
        autocomplete="off"
      />
      <TextArea
        field={{
          name: 'channels',
          value: channels,
          problem: undefined,
          onChange: (value) => onChange({ channels: value }),
        }}
        label={words.channels}
        hint={words.channelsHint}
        rows={4}
      />
    </>
  );
}
