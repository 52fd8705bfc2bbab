import type { ChannelKind, Id } from '@hearth/protocol';
import { Field } from '../../account/field.tsx';
import { Form } from '../../account/form.tsx';
import { CardChoice } from '../../ui/card-choice.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { channelKindsFor } from '../offered-kinds.ts';
import { useCommunities } from '../use-communities.ts';
import { checkChannelName } from './check-channel.ts';
import { OpenedHead } from './opened-head.tsx';
import { SelectField } from './select-field.tsx';
import { useSettingsForm } from './use-settings-form.ts';
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
  const { form, categories, possible } = useNewChannel(props);
  const { draft, change } = form;
  const action = isCategory ? words.channels.addCategory : words.channels.add;
  return (
    <Form
      form={form}
      action={action}
      intro={
        <OpenedHead back={words.channels.toList} title={action} isFocusElsewhere onBack={onClose} />
      }
    >
      <Field
        field={form.field('name')}
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
    </Form>
  );
}

function useNewChannel({ community, isCategory, onClose }: FormProps) {
  const words = useSettingsText();
  const { requests } = useCommunities();
  const possible = channelKindsFor(community);
  const categories = community.channels.filter((channel) => channel.kind === 'category');
  const form = useSettingsForm({
    initial: {
      name: '',
      kind: possible[0] ?? ('messages' as Exclude<ChannelKind, 'category'>),
      category: '',
    },
    check: ({ name }) => ({ name: checkChannelName(name, words.channels) }),
    async submit({ name, kind, category }) {
      const inside = categories.find(({ id }) => id === category)?.id;
      const place: { category_id?: Id } = inside === undefined ? {} : { category_id: inside };
      await requests.createChannel(
        community.id,
        isCategory
          ? { kind: 'category', name: name.trim() }
          : { kind, name: name.trim(), ...place },
      );
      onClose();
    },
  });
  return { form, categories, possible };
}
