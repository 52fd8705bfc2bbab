import type { Post, PostSettings } from '@hearth/protocol';
import { PinIcon } from '../ui/action-icons.tsx';
import { CheckIcon } from '../ui/icons.tsx';
import { LockIcon } from '../ui/place-icons.tsx';
import { usePostText } from './use-post-text.ts';

interface MarksProps {
  readonly post: Post;
  readonly settings: PostSettings;
}

/** Shows what is special about a post: pinned, locked, answered, spoiler, sensitive, and its tags. */
export function PostMarks({ post, settings }: MarksProps) {
  const words = usePostText();
  const tags = (settings.tags ?? []).filter(({ id }) => post.tag_ids?.includes(id) === true);
  const { pinned, locked, spoiler, sensitive, accepted_comment_id: accepted } = post;
  const isPlain = [pinned, locked, spoiler, sensitive, accepted].every(
    (each) => each === undefined,
  );
  if (isPlain && tags.length === 0) return null;
  return (
    <ul class="post-marks">
      {pinned === true && (
        <li class="post-mark" data-kind="pinned">
          <PinIcon />
          {words.pinned}
        </li>
      )}
      {locked === true && (
        <li class="post-mark">
          <LockIcon />
          {words.locked}
        </li>
      )}
      {accepted !== undefined && (
        <li class="post-mark" data-kind="answered">
          <CheckIcon />
          {words.answered}
        </li>
      )}
      {spoiler === true && <li class="post-mark">{words.spoiler}</li>}
      {sensitive === true && (
        <li class="post-mark" data-kind="sensitive">
          {words.sensitive}
        </li>
      )}
      {tags.map(({ id, name, colour }) => (
        <li key={id} class="post-tag" style={{ '--tag': colour ?? 'var(--line-strong)' }}>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}
