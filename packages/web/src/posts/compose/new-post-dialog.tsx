import type { TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ChannelStub, Id, PostSettings } from '@hearth/protocol';
import { useFailureText } from '../../communities/describe-failure.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { postPath } from '../post-paths.ts';
import { usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';

interface NewPostProps {
  readonly slug: string;
  readonly channel: ChannelStub;
  readonly settings: PostSettings;
  readonly onClose: () => void;
}

/** Where a post is written. */
export function NewPostDialog({ slug, channel, settings, onClose }: NewPostProps) {
  const words = usePostText();
  const posts = usePosts();
  const navigation = useNavigation();
  const describe = useFailureText();
  const [draft, setDraft] = useState<Draft>({ title: '', content: '', url: '' });
  const [tags, setTags] = useState<readonly Id[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { title, content, url } = draft;
    setIsBusy(true);
    setProblem('');
    try {
      const post = await posts.create(channel.id, {
        title: title.trim(),
        ...(content.trim() !== '' && { content }),
        ...(url.trim() !== '' && { url: url.trim() }),
        ...(tags.length > 0 && { tag_ids: [...tags] }),
      });
      onClose();
      navigation.go(postPath(slug, post));
    } catch (error) {
      setProblem(describe(error));
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={words.newPost} isWide onClose={onClose}>
      <form class="post-form" onSubmit={(event) => void submit(event)}>
        <Fields draft={draft} onChange={setDraft} />
        <TagChoice settings={settings} tags={tags} onChoose={setTags} />
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="form-end">
          <button
            type="submit"
            class="button button-primary"
            disabled={isBusy || draft.title.trim() === ''}
          >
            {words.publish}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface Draft {
  readonly title: string;
  readonly content: string;
  readonly url: string;
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function Fields({ draft, onChange }: FieldsProps) {
  const words = usePostText();
  const { title, content, url } = draft;
  return (
    <>
      <label>
        <span>{words.title}</span>
        <input
          class="text-field"
          required
          maxLength={300}
          value={title}
          onInput={({ currentTarget }) => onChange({ ...draft, title: currentTarget.value })}
        />
      </label>
      <label>
        <span>{words.text}</span>
        <textarea
          class="text-field"
          rows={8}
          value={content}
          aria-describedby="post-text-hint"
          onInput={({ currentTarget }) => onChange({ ...draft, content: currentTarget.value })}
        />
      </label>
      <p id="post-text-hint" class="hint">
        {words.textHint}
      </p>
      <label>
        <span>{words.address}</span>
        <input
          class="text-field"
          type="url"
          value={url}
          onInput={({ currentTarget }) => onChange({ ...draft, url: currentTarget.value })}
        />
      </label>
    </>
  );
}

interface TagsProps {
  readonly settings: PostSettings;
  readonly tags: readonly Id[];
  readonly onChoose: (tags: readonly Id[]) => void;
}

function TagChoice({ settings, tags, onChoose }: TagsProps) {
  const words = usePostText();
  if (settings.tags === undefined) return null;
  return (
    <fieldset class="post-tags">
      <legend>{words.tag}</legend>
      {settings.tags.map(({ id, name }) => (
        <label key={id} class="post-tag-choice">
          <input
            type="checkbox"
            checked={tags.includes(id)}
            onChange={({ currentTarget }) =>
              onChoose(currentTarget.checked ? [...tags, id] : tags.filter((tag) => tag !== id))
            }
          />
          <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  );
}
