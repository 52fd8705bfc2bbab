import { useState } from 'preact/hooks';
import type { ChannelKind, Id } from '@hearth/protocol';
import { Field } from '../../account/field.tsx';
import { CardChoice } from '../../ui/card-choice.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { channelKindsFor } from '../offered-kinds.ts';
import { useCommunities } from '../use-communities.ts';
import { checkChannelName } from './check-channel.ts';
import { OpenedHead } from './opened-head.tsx';
import { SelectField } from './select-field.tsx';
import { useAct } from './use-act.ts';
import { useSettingsText } from './use-settings-text.ts';

interface FormProps {
  readonly community: MyCommunity;
  readonly isCategory: boolean;
  readonly onClose: () => void;
}

/** Adds a channel or category. */
export function NewChannelForm(props: FormProps) {
  const { isCategory, onClose } = props;
  const words = useSettingsText();
  const { act, draft, change, problem, categories, possible, save } = useNewChannel(props);
  return (
    <form
      class="account-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <OpenedHead
        back={words.channels.toList}
        title={isCategory ? words.channels.addCategory : words.channels.add}
        isFocusElsewhere
        onBack={onClose}
      />
      <Field
        field={{ name: 'name', value: draft.name, problem, onChange: (name) => change({ name }) }}
        label={words.channels.name}
        autocomplete="off"
        isProse
        isFirst
      />
      {!isCategory && (
        <>
          <CardChoice
            label={words.channels.kind}
            values={possible}
            names={words.channels.kinds}
            hints={words.channels.kindHints}
            value={draft.kind}
            onChange={(kind) => change({ kind })}
          />
          {categories.length > 0 && (
            <SelectField
              label={words.channels.kinds.category}
              names={{
                '': '–',
                ...Object.fromEntries(categories.map((each) => [each.id, each.name])),
              }}
              value={draft.category}
              onChange={(category) => change({ category })}
            />
          )}
        </>
      )}
      <div class="form-end">
        <button type="submit" class="button button-primary" aria-disabled={act.isBusy}>
          {isCategory ? words.channels.addCategory : words.channels.add}
        </button>
        <p class="problem" role="alert">
          {act.problem}
        </p>
      </div>
    </form>
  );
}

function useNewChannel({ community, isCategory, onClose }: FormProps) {
  const words = useSettingsText();
  const { requests } = useCommunities();
  const act = useAct();
  const possible = channelKindsFor(community);
  const [draft, setDraft] = useState({
    name: '',
    kind: possible[0] ?? ('messages' as Exclude<ChannelKind, 'category'>),
    category: '',
  });
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const categories = community.channels.filter((channel) => channel.kind === 'category');
  const save = async () => {
    const { name, kind, category } = draft;
    const found = checkChannelName(name, words.channels);
    setProblem(found);
    if (found !== undefined || act.isBusy) return;
    const inside = categories.find(({ id }) => id === category)?.id;
    const place: { category_id?: Id } = inside === undefined ? {} : { category_id: inside };
    const isMade = await act.run(() =>
      requests.createChannel(
        community.id,
        isCategory
          ? { kind: 'category', name: name.trim() }
          : { kind, name: name.trim(), ...place },
      ),
    );
    if (isMade) onClose();
  };
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  return { act, draft, change, problem, categories, possible, save };
}
