import type { Channel, Id } from '@hearth/protocol';
import { MOST_CARD_CHANNELS } from '@hearth/protocol/schemas';
import { Form } from '../../account/form.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useCommunities } from '../use-communities.ts';
import { changeOfSettings, draftOfSettings, tagProblem } from './post-settings-draft.ts';
import { SelectField } from './select-field.tsx';
import { TagsEditor } from './tags-editor.tsx';
import { useSettingsForm } from './use-settings-form.ts';
import { useSettingsText } from './use-settings-text.ts';

interface FormProps {
  readonly channel: Channel;
  /** All channels of the community. */
  readonly all: readonly Channel[];
  readonly onSaved: () => void;
}

/** The fields for the settings of a channel with posts. */
export function PostSettingsForm({ channel, all, onSaved }: FormProps) {
  const words = useSettingsText();
  const { posts } = words;
  const form = usePostSettings(channel, onSaved);
  const { draft, change, problems } = form;
  return (
    <Form
      form={form}
      action={words.save}
      isLasting
      intro={<h4 class="settings-part">{posts.title}</h4>}
    >
      <TagsEditor tags={draft.tags} problem={problems.tags} onChange={(tags) => change({ tags })} />
      <Switch
        label={posts.questions}
        hint={posts.questionsHint}
        isOn={draft.questions}
        onChange={(questions) => change({ questions })}
      />
      <Switch
        label={posts.downvotes}
        hint={posts.downvotesHint}
        isOn={draft.downvotes}
        onChange={(downvotes) => change({ downvotes })}
      />
      <SelectField
        label={posts.hide}
        hint={posts.hideHint}
        names={
          draft.hide in posts.hides
            ? posts.hides
            : { ...posts.hides, [draft.hide]: `${draft.hide} s` }
        }
        value={draft.hide}
        onChange={(hide) => change({ hide })}
      />
      <CardChannels
        channel={channel}
        all={all}
        chosen={draft.cards}
        onChange={(cards) => change({ cards })}
      />
    </Form>
  );
}

interface CardsProps {
  readonly channel: Channel;
  readonly all: readonly Channel[];
  readonly chosen: readonly Id[];
  readonly onChange: (chosen: readonly Id[]) => void;
}

function CardChannels({ channel, all, chosen, onChange }: CardsProps) {
  const { posts } = useSettingsText();
  // The instance refuses those that not exactly the same people see.
  const talks = all.filter(
    ({ kind, restricted }) =>
      (kind === 'messages' || kind === 'announcements') && restricted === channel.restricted,
  );
  if (talks.length === 0) return null;
  return (
    <fieldset class="write-part post-tags">
      <legend>{posts.cards}</legend>
      {talks.map(({ id, name }) => (
        <label key={id} class="post-tag-choice">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            disabled={chosen.length >= MOST_CARD_CHANNELS && !chosen.includes(id)}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked ? [...chosen, id] : chosen.filter((each) => each !== id),
              )
            }
          />
          <bdi>{name}</bdi>
        </label>
      ))}
      <p class="hint">{posts.cardsHint}</p>
    </fieldset>
  );
}

function usePostSettings(channel: Channel, onSaved: () => void) {
  const { posts } = useSettingsText();
  const { requests } = useCommunities();
  return useSettingsForm({
    initial: draftOfSettings(channel),
    check({ tags }) {
      const found = tagProblem(tags);
      return { tags: found && posts[found] };
    },
    async submit(draft) {
      await requests.changeChannel(channel.id, changeOfSettings(draft));
      const channels = await requests.channelsOf(channel.community_id);
      const changed = channels.find(({ id }) => id === channel.id);
      onSaved();
      // New tags have ids now, by which they are changed next time.
      return changed === undefined ? draft : draftOfSettings(changed);
    },
  });
}
