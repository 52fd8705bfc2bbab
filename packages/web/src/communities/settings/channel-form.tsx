import type { Channel } from '@hearth/protocol';
import { MOST_TOPIC_CHARACTERS } from '@hearth/protocol/schemas';
import { countCodePoints, type MyCommunity } from '@hearth/sdk';
import { Field, TextArea } from '../../account/field.tsx';
import { Form } from '../../account/form.tsx';
import { useCommunities } from '../use-communities.ts';
import { checkChannelName } from './check-channel.ts';
import { ConfirmDelete } from './confirm-delete.tsx';
import { OpenedHead } from './opened-head.tsx';
import { OverwritesEditor } from './overwrites-editor.tsx';
import { PostSettingsForm } from './post-settings-form.tsx';
import { SelectField } from './select-field.tsx';
import { useNamedMembers } from './use-named-members.ts';
import { useSettingsForm } from './use-settings-form.ts';
import { useSettingsText } from './use-settings-text.ts';
import { WhoSees } from './who-sees.tsx';
import { typedText } from '../../lib/typed-text.ts';

interface FormProps {
  readonly community: MyCommunity;
  readonly channel: Channel;
  /** All channels of the community. */
  readonly all: readonly Channel[];
  readonly onChanged: () => void;
  /** Called with whether it was deleted. */
  readonly onClose: (isGone: boolean) => void;
}

/** A channel or category: what it is called and about, and who may do what in it. */
export function ChannelForm({ community, channel, all, onChanged, onClose }: FormProps) {
  const words = useSettingsText();
  const { requests } = useCommunities();
  const isCategory = channel.kind === 'category';
  const category = all.find(({ id }) => id === channel.category_id);
  const members = useNamedMembers(community.id, [channel, category]);
  return (
    <>
      <OpenedHead back={words.channels.toList} title={channel.name} onBack={() => onClose(false)} />
      <ChannelFields channel={channel} onSaved={onChanged} />
      {channel.kind === 'posts' && (
        <PostSettingsForm channel={channel} all={all} onSaved={onChanged} />
      )}
      <h4 class="settings-part">{words.channels.whoSees}</h4>
      <WhoSees community={community} channel={channel} category={category} members={members} />
      <h4 class="settings-part">{words.overwrites.title}</h4>
      <OverwritesEditor
        community={community}
        channel={channel}
        members={members}
        onChanged={onChanged}
      />
      <ConfirmDelete
        label={isCategory ? words.channels.deleteCategory : words.channels.delete}
        text={isCategory ? words.channels.deleteCategoryText : words.channels.deleteText}
        onDelete={async () => {
          await requests.deleteChannel(channel.id);
          onClose(true);
        }}
      />
    </>
  );
}

interface FieldsProps {
  readonly channel: Channel;
  readonly onSaved: () => void;
}

function ChannelFields({ channel, onSaved }: FieldsProps) {
  const words = useSettingsText();
  const { channels } = words;
  const form = useChannelFields({ channel, onSaved });
  return (
    <Form form={form} action={words.save} isLasting>
      <Field field={form.field('name')} label={channels.name} autocomplete="off" isProse />
      {channel.kind !== 'category' && (
        <>
          <TextArea
            field={form.field('topic')}
            label={channels.topic}
            hint={channels.topicHint}
            rows={2}
          />
          <SelectField
            label={channels.slowMode}
            hint={channels.slowModeHint}
            names={withValue(channels.slowModes, form.draft.slowMode)}
            value={form.draft.slowMode}
            onChange={(slowMode) => form.change({ slowMode })}
          />
        </>
      )}
    </Form>
  );
}

function useChannelFields({ channel, onSaved }: FieldsProps) {
  const { channels } = useSettingsText();
  const { requests } = useCommunities();
  return useSettingsForm({
    initial: {
      name: channel.name,
      topic: channel.topic ?? '',
      slowMode: String(channel.slow_mode_seconds ?? 0),
    },
    check: ({ name, topic }) => ({
      name: checkChannelName(name, channels),
      topic: countCodePoints(topic.trim()) > MOST_TOPIC_CHARACTERS ? channels.topicLong : undefined,
    }),
    async submit({ name, topic, slowMode }) {
      const rest = {
        topic: typedText(topic) || null,
        slow_mode_seconds: Number(slowMode) || null,
      };
      await requests.changeChannel(channel.id, {
        name: name.trim(),
        ...(channel.kind !== 'category' && rest),
      });
      onSaved();
    },
  });
}

/** The choices, and the present value if it is none of them. */
function withValue(
  names: Readonly<Record<string, string>>,
  value: string,
): Readonly<Record<string, string>> {
  return value in names ? names : { ...names, [value]: `${value} s` };
}
