import { useState } from 'preact/hooks';
import type { ChannelStub, Id, NewPost, PostSettings } from '@hearth/protocol';
import { Dialog } from '../../ui/dialog.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { EMPTY_DRAFT, isEmptyDraft, parseDraft, type PostDraft } from './post-draft.ts';
import { PostForm } from './post-form.tsx';
import { useDraft, useProblems, type Problems } from './use-draft.ts';
import { useWriting, type DraftPlace } from './use-writing.ts';
import { useWritingText } from './use-writing-text.ts';
import { WrittenField } from './written-field.tsx';

/** A channel in which the reader may post. */
export interface PostingChannel {
  readonly channel: Pick<ChannelStub, 'id' | 'name'>;
  readonly settings: PostSettings;
  readonly mayAttach: boolean;
}

interface NewPostProps {
  /** The channels in which it can be posted; with several, the reader chooses. */
  readonly channels: readonly PostingChannel[];
  /** The message that it is made of, and what it begins with. */
  readonly from?: NonNullable<NewPost['from_message']> | undefined;
  readonly beginning?: Partial<PostDraft> | undefined;
  /** Why it was not posted before. */
  readonly error?: unknown;
  /** Returns where the reader goes once it was sent. */
  readonly leadTo?: ((channel: Id) => string) | undefined;
  readonly onClose: () => void;
}

/** The form in which a post is written. What is written stays on the device until it is posted or discarded. */
export function NewPostDialog(props: NewPostProps) {
  const { channels, from, onClose } = props;
  const words = useWritingText();
  const { draft, change, uploads, problems, channelId, choose, send, discard } = useNewPost(props);
  const chosen = channels.find(({ channel }) => channel.id === channelId);
  const only = channels.length === 1 ? channels[0] : undefined;
  const isBusy = uploads.sending.value.some(({ at }) => at.state === 'running');
  const title = only === undefined ? words.newPost : words.newPostIn(only.channel.name);
  return (
    <Dialog title={from === undefined ? title : words.fromMessage} isWide onClose={onClose}>
      <PostForm
        draft={draft}
        settings={chosen?.settings ?? {}}
        problems={problems}
        uploads={uploads}
        mayAttach={chosen?.mayAttach !== false}
        above={
          only === undefined && (
            <ChannelField
              channels={channels}
              value={channelId}
              problem={problems.channel}
              onChange={choose}
            />
          )
        }
        onChange={change}
        onSubmit={send}
      >
        {!isEmptyDraft(draft) && (
          <>
            <button type="button" class="button button-quiet" onClick={discard}>
              {words.discard}
            </button>
            <p class="hint">{isBusy ? words.stillUploading : words.kept}</p>
          </>
        )}
        <button type="submit" class="button button-primary" aria-disabled={isBusy}>
          {words.publish}
        </button>
      </PostForm>
    </Dialog>
  );
}

function useNewPost(props: NewPostProps) {
  const { channels, from, beginning, error, leadTo, onClose } = props;
  const { outbox, drafts } = useWriting();
  const navigation = useNavigation();
  const words = useWritingText();
  const checks = useProblems();
  const [channelId, setChannelId] = useState(
    channels.length === 1 ? channels[0]?.channel.id : undefined,
  );
  const placeOf = (id: Id | undefined): DraftPlace =>
    from === undefined ? `new.${id ?? 'any'}` : `message.${from.id}`;
  const empty = { ...EMPTY_DRAFT, ...beginning };
  const { draft, change, uploads, show, forget } = useDraft(placeOf(channelId), empty);
  const [problems, setProblems] = useState<Problems>(() =>
    error === undefined ? {} : checks.of(error),
  );
  const choose = (id: Id | undefined) => {
    const other = parseDraft(drafts.read(placeOf(id))) ?? EMPTY_DRAFT;
    setChannelId(id);
    // What was begun there goes on; otherwise what is being written moves along, without the tags of the other channel.
    if (from === undefined && isEmptyDraft(draft)) show(placeOf(id), other);
    else {
      if (from === undefined) forget();
      show(placeOf(id), draft);
      change({ tags: [] });
    }
  };
  const send = () => {
    const missing = channelId === undefined ? words.problems['channel']?.['missing'] : undefined;
    const found = {
      ...(missing !== undefined && { channel: missing }),
      ...checks.found(draft),
    };
    setProblems(found);
    const isBusy = uploads.sending.peek().some(({ at }) => at.state === 'running');
    if (channelId === undefined || Object.keys(found).length > 0 || isBusy) return;
    const place = placeOf(channelId);
    outbox.send({ channel: channelId, place, draft, from_message: from }).then(
      () => drafts.keep(place, ''),
      // The list of what is on its way says so.
      () => {},
    );
    onClose();
    if (leadTo !== undefined) navigation.go(leadTo(channelId));
  };
  const discard = () => {
    forget();
    onClose();
  };
  return { draft, change, uploads, problems, channelId, choose, send, discard };
}

interface ChannelProps {
  readonly channels: readonly PostingChannel[];
  readonly value: Id | undefined;
  readonly problem: string | undefined;
  readonly onChange: (channel: Id | undefined) => void;
}

/** In which channel something is posted. */
export function ChannelField({ channels, value, problem, onChange }: ChannelProps) {
  const words = useWritingText();
  return (
    <WrittenField name="channel" label={words.channel} problem={problem}>
      {(wiring) => (
        <select
          {...wiring}
          class="text-field"
          value={value ?? ''}
          onChange={({ currentTarget }) =>
            onChange(channels.find(({ channel }) => channel.id === currentTarget.value)?.channel.id)
          }
        >
          <option value="">{words.chooseChannel}</option>
          {channels.map(({ channel }) => (
            <option key={channel.id} value={channel.id}>
              {channel.name}
            </option>
          ))}
        </select>
      )}
    </WrittenField>
  );
}
