import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Comment, CommentedPost } from '@hearth/protocol';
import { ownPath } from '../../lib/own-path.ts';
import { useFormats } from '../../text/use-text.ts';
import { useNavigation } from '../../ui/use-navigation.ts';
import { When } from '../by-line.tsx';
import { useWritingText } from '../compose/use-writing-text.ts';
import { ListEnd, Skeletons } from '../list/list-end.tsx';
import type { CardContext } from '../list/post-list-view.tsx';
import { useListPlace } from '../list/use-list-place.ts';
import { commentPath, postHref } from '../post-paths.ts';
import { PostText } from '../post-text.tsx';
import { useItemKeys } from '../use-item-keys.ts';
import { usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import { usePlacesOfPosts } from './use-places-of-posts.ts';
import type { CommentList } from './comment-list.ts';

interface CommentsProps {
  readonly list: CommentList;
  readonly label: string;
  /** Above the comments. */
  readonly bar: ComponentChildren;
}

/** Shows what somebody has written on posts, with the way to each. */
export function UserCommentsView({ list, label, bar }: CommentsProps) {
  const words = useWritingText();
  const { known } = usePosts();
  const navigation = useNavigation();
  const page = useRef<HTMLDivElement>(null);
  const entries = list.entries.value;
  useEffect(() => void list.open(), [list]);
  useListPlace(page, list, entries !== undefined);
  const all = (entries ?? []).map((comment) => ({
    comment,
    // What is known is what was read last.
    post: known.at(comment.post_id).value ?? comment.post,
  }));
  const placeOf = usePlacesOfPosts(all.flatMap(({ post }) => post ?? []));
  const open = (item: HTMLElement) => {
    const path = item.dataset['path'];
    if (path !== undefined) navigation.go(path);
  };
  useItemKeys(page, '[data-comment]', { Enter: open, o: open });
  return (
    <div class="post-list-page" ref={page}>
      {bar}
      <section class="post-list" aria-label={label} aria-busy={entries === undefined}>
        {all.map(({ comment, post }) => (
          <Line
            key={comment.id}
            comment={comment}
            post={post}
            context={post === undefined ? undefined : placeOf(post)}
          />
        ))}
        {entries === undefined && list.loading.value.state !== 'failed' && (
          <Skeletons look="lines" />
        )}
      </section>
      {entries?.length === 0 && (
        <div class="post-nothing">
          <p class="hint">{words.noComments}</p>
        </div>
      )}
      <ListEnd list={list} length={entries?.length ?? 0} />
    </div>
  );
}

interface LineProps {
  readonly comment: Comment;
  readonly post: CommentedPost | undefined;
  readonly context: CardContext | undefined;
}

function Line({ comment, post, context }: LineProps) {
  const words = useWritingText();
  const { votes } = usePostText();
  const formats = useFormats();
  const { id, created_at: at, edited_at: editedAt, score } = comment;
  const isKnown = post !== undefined && context !== undefined;
  const path = isKnown ? commentPath(context.slug, post, id) : undefined;
  const when = <When at={at} editedAt={editedAt} />;
  return (
    <article
      class="post-card user-comment"
      data-comment={id}
      data-path={path}
      tabIndex={-1}
      aria-labelledby={`comment-on-${id}`}
    >
      <p class="post-card-head" id={`comment-on-${id}`}>
        {isKnown ? (
          <span>
            {words.commentTo}{' '}
            <a class="user-comment-post" href={postHref(context.slug, post)} dir="auto">
              {post.title}
            </a>
          </span>
        ) : (
          <span>{words.onPost}</span>
        )}
        {context?.place !== undefined && <span class="post-place">{context.place}</span>}
        {path === undefined ? (
          when
        ) : (
          <a class="comment-link post-link" href={ownPath(path)}>
            {when}
          </a>
        )}
        {score !== undefined && <span>{votes(formats.count(score))}</span>}
      </p>
      <PostText written={comment} />
    </article>
  );
}
