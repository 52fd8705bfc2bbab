import { useState } from 'preact/hooks';
import type { Channel, ChannelChange } from '@hearth/protocol';
import { MOST_TOPIC_CHARACTERS } from '@hearth/protocol/schemas';
import { countCodePoints, type MyCommunity } from '@hearth/sdk';
import { Field, TextArea } from '../../account/field.tsx';
import { useCommunities } from '../use-communities.ts';
import { checkChannelName } from './check-channel.ts';
import { ConfirmDelete } from './confirm-delete.tsx';
import { OpenedHead } from './opened-head.tsx';
import { Outcome } from './outcome.tsx';
import { OverwritesEditor } from './overwrites-editor.tsx';
import { PostSettingsForm } from './post-settings-form.tsx';
import { SelectField } from './select-field.tsx';
import { useAct } from './use-act.ts';
import { useNamedMembers } from './use-named-members.ts';
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
  const { draft, problems, act, change, save } = useChannelDraft({ channel, onSaved });
  return (
    <form
      class="account-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        field={{
          name: 'name',
          value: draft.name,
          problem: problems.name,
          onChange: (name) => change({ name }),
        }}
        label={channels.name}
        autocomplete="off"
        isProse
      />
      {channel.kind !== 'category' && (
        <>
          <TextArea
            field={{
              name: 'topic',
              value: draft.topic,
              problem: problems.topic,
              onChange: (topic) => change({ topic }),
            }}
            label={channels.topic}
            hint={channels.topicHint}
            rows={2}
          />
          <SelectField
            label={channels.slowMode}
            hint={channels.slowModeHint}
            names={withValue(channels.slowModes, draft.slowMode)}
            value={draft.slowMode}
            onChange={(slowMode) => change({ slowMode })}
          />
        </>
      )}
      <div class="form-end">
        <button type="submit" class="button button-primary" aria-disabled={act.isBusy}>
          {words.save}
        </button>
        <Outcome act={act} />
      </div>
    </form>
  );
}

function useChannelDraft({ channel, onSaved }: FieldsProps) {
  const { channels } = useSettingsText();
  const { requests } = useCommunities();
  const act = useAct();
  const [draft, setDraft] = useState({
    name: channel.name,
    topic: channel.topic ?? '',
    slowMode: String(channel.slow_mode_seconds ?? 0),
  });
  const [problems, setProblems] = useState<{
    name?: string | undefined;
    topic?: string | undefined;
  }>({});
  const save = async () => {
    const { name, topic, slowMode } = draft;
    const isLong = countCodePoints(topic.trim()) > MOST_TOPIC_CHARACTERS;
    const found = {
      name: checkChannelName(name, channels),
      topic: isLong ? channels.topicLong : undefined,
    };
    setProblems(found);
    if (found.name !== undefined || isLong || act.isBusy) return;
    const change: ChannelChange =
      channel.kind === 'category'
        ? { name: name.trim() }
        : {
            name: name.trim(),
            topic: typedText(topic) || null,
            slow_mode_seconds: Number(slowMode) || null,
          };
    if (await act.run(() => requests.changeChannel(channel.id, change))) onSaved();
  };
  const change = (part: Partial<typeof draft>) => {
    act.forget();
    setDraft({ ...draft, ...part });
  };
  return { draft, problems, act, change, save };
}

/** The choices, and the present value if it is none of them. */
function withValue(
  names: Readonly<Record<string, string>>,
  value: string,
): Readonly<Record<string, string>> {
  return value in names ? names : { ...names, [value]: `${value} s` };
}
