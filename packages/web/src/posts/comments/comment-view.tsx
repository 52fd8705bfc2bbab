import { titleSegment, webPath, type Comment, type Id } from '@hearth/protocol';
import { ownPath } from '../../lib/own-path.ts';
import { useFormats } from '../../text/use-text.ts';
import { CheckIcon } from '../../ui/icons.tsx';
import { Author, When } from '../by-line.tsx';
import { nameOfPerson } from '../../conversation/author.ts';
import { personNow } from '../../user/people-now.ts';
import type { PostContext } from '../post/post-context.ts';
import { PostText } from '../post-text.tsx';
import { usePostText } from '../use-post-text.ts';
import { VoteBox } from '../vote-box.tsx';
import { CommentEditor } from './comment-editor.tsx';
import { CommentMenu } from './comment-menu.tsx';
import { missingReplies, type CommentNode } from './comment-tree.ts';

/** From this depth on, replies are not indented any further; on narrow pages, from an earlier one. */
export const MOST_INDENT = 8;

interface ViewProps extends PostContext {
  readonly id: Id;
  /** True if it is shown by itself, as the accepted answer. */
  readonly isAnswer?: boolean;
}

/** A comment, and its replies below it. */
export function CommentView({ id, isAnswer = false, ...context }: ViewProps) {
  const words = usePostText();
  const formats = useFormats();
  const { thread, post } = context;
  const node = thread.tree.node(id).value;
  const alone = isAnswer ? thread.answer.value : undefined;
  const comment = node?.comment ?? alone;
  if (comment === undefined) return null;
  const isFolded = !isAnswer && node?.isFolded === true;
  const { user } = comment;
  const name = user === undefined ? words.deletedAuthor : nameOfPerson(personNow(user));
  const label = words.commentOf(name, formats.full(comment.created_at));
  const foldLabel = isFolded ? words.unfold(name) : words.fold(name);
  return (
    <>
      <article
        class="comment"
        {...(!isAnswer && { 'data-comment': id })}
        data-new={node?.isNew || undefined}
        data-linked={thread.linked.value === id || undefined}
        data-answer={post.accepted_comment_id === id || undefined}
        data-folded={isFolded || undefined}
        tabIndex={-1}
        aria-label={label}
      >
        {!isAnswer && (
          <button
            type="button"
            class="fold"
            aria-expanded={!isFolded}
            aria-label={foldLabel}
            title={foldLabel}
            onClick={() => thread.tree.fold(id, !isFolded)}
          />
        )}
        <CommentHead {...context} comment={comment} isNew={node?.isNew === true} />
        {isFolded ? (
          <FoldedNote node={node} />
        ) : (
          <CommentBody {...context} comment={comment} isAnswer={isAnswer} />
        )}
      </article>
      {node !== undefined && !isAnswer && !isFolded && <Replies {...context} node={node} />}
    </>
  );
}

interface PartProps extends PostContext {
  readonly comment: Comment;
}

function CommentHead({
  comment,
  isNew,
  post,
  slug,
  thread,
}: PartProps & { readonly isNew: boolean }) {
  const words = usePostText();
  const { user, depth, parent_id: parent } = comment;
  const params = {
    slug,
    post_id: post.id,
    title: titleSegment(post.title),
    comment_id: comment.id,
  };
  const above = parent === undefined ? undefined : thread.tree.node(parent).value?.comment.user;
  return (
    <p class="comment-head">
      {user === undefined ? (
        <span class="comment-deleted">{words.deletedAuthor}</span>
      ) : (
        <Author user={user} />
      )}
      {user?.id === post.user.id && <span class="comment-author">{words.author}</span>}
      <a class="comment-link" href={ownPath(webPath('postComment', params))}>
        <When at={comment.created_at} editedAt={comment.edited_at} />
      </a>
      {depth >= MOST_INDENT && above !== undefined && (
        <span class="comment-level">{words.replyOf(nameOfPerson(personNow(above)))}</span>
      )}
      {post.accepted_comment_id === comment.id && (
        <span class="post-mark" data-kind="answered">
          <CheckIcon />
          {words.answer}
        </span>
      )}
      {isNew && <span class="post-unread">{words.isNew}</span>}
    </p>
  );
}

function FoldedNote({ node }: { readonly node: CommentNode | undefined }) {
  const words = usePostText();
  const formats = useFormats();
  const count = node?.comment.reply_count ?? 0;
  return count === 0 ? null : (
    <p class="hint comment-folded">{words.folded(count, formats.count(count))}</p>
  );
}

function CommentBody(props: PartProps & { readonly isAnswer: boolean }) {
  const words = usePostText();
  const { comment, thread, rights, post, settings, isAnswer } = props;
  const { id, user } = comment;
  if (comment.deleted === true) return <p class="comment-deleted">{words.deletedComment}</p>;
  const mayReply = rights.comment && (post.locked !== true || rights.manage) && !isAnswer;
  const isReplying = thread.replyingTo.value === id && !isAnswer;
  if (thread.editing.value === id && !isAnswer) {
    return (
      <CommentEditor
        label={words.edit}
        initial={comment.content ?? ''}
        action={words.saveChange}
        isOpen
        onSend={(content) => thread.edit(id, content)}
        onCancel={() => {
          thread.editing.value = undefined;
        }}
      />
    );
  }
  return (
    <>
      <PostText written={comment} />
      <div class="comment-foot">
        <VoteBox
          subject={comment}
          mayVote={rights.vote && post.locked !== true}
          hasDownvotes={settings.downvotes !== false}
          onVote={(value) => void thread.vote(id, value)}
        />
        {mayReply && (
          <button
            type="button"
            class="post-action"
            onClick={() => {
              thread.replyingTo.value = isReplying ? undefined : id;
            }}
          >
            {words.reply}
          </button>
        )}
        <CommentMenu {...props} />
      </div>
      {isReplying && (
        <CommentEditor
          label={words.replyTo(user === undefined ? '' : nameOfPerson(personNow(user)))}
          action={words.sendReply}
          isOpen
          draftKey={id}
          onSend={(content) => thread.write(content, id)}
          onCancel={() => {
            thread.replyingTo.value = undefined;
          }}
        />
      )}
    </>
  );
}

function Replies({ node, ...context }: PostContext & { readonly node: CommentNode }) {
  const words = usePostText();
  const formats = useFormats();
  const { thread } = context;
  const { comment, children } = node;
  const isLinkedAbove = isAboveLinked(context, node);
  const missing = isLinkedAbove ? 0 : missingReplies(node);
  const loading = thread.loading.value.get(comment.id);
  if (children.length === 0 && missing === 0) return null;
  return (
    <ol
      class="comment-list"
      data-flat={comment.depth + 1 >= MOST_INDENT || undefined}
      data-depth={comment.depth + 1}
    >
      {children.map((id) => (
        <li key={id}>
          <CommentView {...context} id={id} />
        </li>
      ))}
      {missing > 0 && (
        <li>
          <button
            type="button"
            class="post-action more-replies"
            disabled={loading?.state === 'loading'}
            onClick={() => void thread.moreUnder(comment.id)}
          >
            {loading?.state === 'failed'
              ? words.again
              : words.moreReplies(missing, formats.count(missing))}
          </button>
        </li>
      )}
    </ol>
  );
}

/** Returns whether a comment is above a linked one: of these, only the way to it is shown. */
function isAboveLinked({ thread }: PostContext, { comment }: CommentNode): boolean {
  let at = thread.linked.value;
  while (at !== undefined) {
    const parent: Id | undefined = thread.tree.node(at).value?.comment.parent_id;
    if (parent === comment.id) return true;
    at = parent;
  }
  return false;
}
