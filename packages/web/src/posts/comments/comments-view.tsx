import { computed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { CommentSort, Id } from '@hearth/protocol';
import { ownPath } from '../../lib/own-path.ts';
import { useFormats } from '../../text/use-text.ts';
import { ArrowUpIcon } from '../../ui/action-icons.tsx';
import { Select } from '../list/list-bar.tsx';
import { ListEnd } from '../list/list-end.tsx';
import type { Loading } from '../list/post-list.ts';
import type { PostContext } from '../post/post-context.ts';
import { postPath } from '../post-paths.ts';
import type { VoteValue } from '../post-source.ts';
import { useItemKeys } from '../use-item-keys.ts';
import { useNavigation } from '../../ui/use-navigation.ts';
import { usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import { CommentEditor } from './comment-editor.tsx';
import type { Thread } from './thread.ts';
import { CommentView } from './comment-view.tsx';
import { bringIntoView } from '../../lib/bring-into-view.ts';

const SORTS: readonly CommentSort[] = ['top', 'new', 'old', 'controversial'];

interface CommentsProps extends PostContext {
  /** The element of the post and its comments. */
  readonly page: RefObject<HTMLElement | null>;
  /** The comment that the address names. */
  readonly commentId: Id | undefined;
}

/** The comments on a post, where one writes another. */
export function Comments(context: CommentsProps) {
  const words = usePostText();
  const { thread, rights, post, page } = context;
  const region = useRef<HTMLElement>(null);
  const linked = thread.linked.value;
  useCommentKeys(page, context);
  useLinked(region, context);
  const mayComment = rights.comment && (post.locked !== true || rights.manage);
  return (
    <section class="comments" ref={region} aria-label={words.commentsTitle}>
      {mayComment && (
        <CommentEditor
          label={words.writeLabel}
          placeholder={words.write}
          action={words.send}
          draftKey={post.id}
          onSend={(content) => thread.write(content, undefined)}
        />
      )}
      <div class="comments-head">
        <h3>{words.commentsTitle}</h3>
        <Select<CommentSort>
          label={words.sortComments}
          value={thread.sort.value}
          values={SORTS.map((each) => [each, words.commentSorts[each]])}
          onChange={(sort) => void thread.sortBy(sort)}
        />
      </div>
      {linked !== undefined && <OneThread {...context} />}
      <Waiting {...context} />
      <Answer {...context} />
      <Tree {...context} />
    </section>
  );
}

function OneThread({ slug, post }: PostContext) {
  const words = usePostText();
  return (
    <p class="one-thread">
      <span>{words.oneThread}</span>
      <a href={ownPath(postPath(slug, post))}>{words.allComments}</a>
    </p>
  );
}

/** New comments on the post wait here, so that what is read does not move. */
function Waiting({ thread }: PostContext) {
  const words = usePostText();
  const formats = useFormats();
  const { length } = thread.waiting.value;
  return (
    <div class="comments-waiting" role="status">
      {length > 0 && (
        <button type="button" class="button" onClick={() => thread.showWaiting()}>
          <ArrowUpIcon />
          {words.newComments(length, formats.count(length))}
        </button>
      )}
    </div>
  );
}

/** The accepted answer comes first, before the tree. */
function Answer(context: PostContext) {
  const words = usePostText();
  const { post, thread } = context;
  const { accepted_comment_id: id } = post;
  useEffect(() => {
    if (id !== undefined) void thread.readAnswer(id);
  }, [thread, id]);
  const answer = thread.answer.value;
  if (id === undefined || answer?.id !== id || thread.linked.value !== undefined) return null;
  // The tree begins with it.
  if (thread.tree.roots.value[0] === id) return null;
  return (
    <section class="answer" aria-label={words.answer}>
      <CommentView {...context} id={id} isAnswer />
    </section>
  );
}

/** The comments on the post, page by page. */
function pagesOf(thread: Thread) {
  return {
    loading: computed((): Loading => thread.loading.value.get(undefined) ?? { state: 'loading' }),
    hasMore: thread.hasMore,
    more: () => thread.more(),
    renew: () => thread.readComments(),
  };
}

function Tree(context: PostContext) {
  const words = usePostText();
  const { thread, rights } = context;
  const pages = useMemo(() => pagesOf(thread), [thread]);
  const roots = thread.tree.roots.value;
  const loading = pages.loading.value;
  if (roots.length === 0 && loading.state !== 'failed') {
    return (
      <p class="hint comments-none" role="status">
        {loading.state === 'loading' ? words.loading : rights.comment && words.firstComment}
      </p>
    );
  }
  return (
    <>
      <ol class="comment-list">
        {roots.map((id) => (
          <li key={id}>
            <CommentView {...context} id={id} />
          </li>
        ))}
      </ol>
      {(thread.hasMore.value || loading.state === 'failed') && (
        <ListEnd list={pages} length={roots.length} />
      )}
    </>
  );
}

/** Keys act on the comment that has the focus, and those that vote also on the post. */
function useCommentKeys(
  page: RefObject<HTMLElement | null>,
  { thread, rights, post, settings }: PostContext,
): void {
  const posts = usePosts();
  const idOf = (item: HTMLElement): Id | undefined =>
    thread.tree.all().find(({ id }) => id === item.dataset['comment'])?.id;
  const withId = (act: (id: Id) => void) => (item: HTMLElement) => {
    const id = idOf(item);
    if (id !== undefined) act(id);
  };
  const vote = (value: VoteValue) => (item: HTMLElement) => {
    if (!rights.vote || post.locked === true) return;
    if (value === -1 && settings.downvotes === false) return;
    if (item.dataset['opened'] === post.id) {
      void posts.changes.vote(post.id, post.my_vote === value ? 0 : value);
      return;
    }
    withId((id) => {
      const comment = thread.tree.node(id).peek()?.comment;
      if (comment === undefined || comment.deleted === true) return;
      void thread.vote(id, comment.my_vote === value ? 0 : value);
    })(item);
  };
  const fold = withId((id) => {
    const node = thread.tree.node(id).peek();
    if (node !== undefined) thread.tree.fold(id, !node.isFolded);
  });
  const reply = withId((id) => {
    if (rights.comment && (post.locked !== true || rights.manage)) thread.replyingTo.value = id;
  });
  const keys = { a: vote(1), z: vote(-1), o: fold, x: fold, Enter: fold, r: reply };
  useItemKeys(page, '[data-opened], [data-comment]', keys);
}

/** Shows the comment that the address names, once it is there, each time that the reader arrives. */
function useLinked(
  region: { readonly current: HTMLElement | null },
  { thread, commentId }: CommentsProps,
): void {
  const arrival = useNavigation().arrival.value;
  const isRead = thread.loading.value.get(undefined)?.state === 'idle';
  const isSought = commentId !== undefined && thread.linked.value === commentId && isRead;
  const path = isSought ? thread.tree.pathTo(commentId) : [];
  const isThere = path.length > 0;
  const isHidden = path.some((node) => node.isFolded);
  const shown = useRef<Shown | undefined>(undefined);
  useEffect(() => {
    const known = shown.current;
    if (known?.arrival === arrival && known.commentId === commentId) return;
    if (!isThere || commentId === undefined) return;
    if (isHidden) {
      // It is drawn before this is run again.
      for (const { comment } of thread.tree.pathTo(commentId)) thread.tree.fold(comment.id, false);
      return;
    }
    shown.current = { arrival, commentId };
    const item = region.current?.querySelector<HTMLElement>(`[data-comment="${commentId}"]`);
    if (item === undefined || item === null) return;
    bringIntoView(item, 'middle');
    item.focus({ preventScroll: true });
  }, [region, thread, commentId, arrival, isThere, isHidden]);
}

interface Shown {
  readonly arrival: unknown;
  readonly commentId: Id | undefined;
}
