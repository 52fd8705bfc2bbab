import { useState } from 'preact/hooks';
import type { Comment } from '@hearth/protocol';
import { DeleteIcon, EditIcon, LinkIcon } from '../../ui/action-icons.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { CheckIcon, PeopleIcon } from '../../ui/icons.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { nameOfPerson } from '../../conversation/author.ts';
import { personNow } from '../../user/people-now.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { MenuButton } from '../menu-button.tsx';
import type { PostContext } from '../post/post-context.ts';
import { commentPath } from '../post-paths.ts';
import { usePosts } from '../use-posts.ts';
import { VotersDialog } from '../voters/voters-dialog.tsx';
import { usePostText, type PostText } from '../use-post-text.ts';

interface Line extends MenuItem {
  readonly key: 'link' | 'accept' | 'votes' | 'edit' | 'remove';
}

interface MenuProps extends PostContext {
  readonly comment: Comment;
}

/** Shows what can be done with a comment besides voting and replying. */
export function CommentMenu(props: MenuProps) {
  const { comment, post, slug, thread } = props;
  const words = usePostText();
  const posts = usePosts();
  const navigation = useNavigation();
  const [isRemoving, setIsRemoving] = useState(false);
  const [showsVotes, setShowsVotes] = useState(false);
  const choose = ({ key }: Line) => {
    switch (key) {
      case 'link':
        return void copyText(navigation.urlOf(commentPath(slug, post, comment.id)));
      case 'accept': {
        const isAnswer = post.accepted_comment_id === comment.id;
        return void posts.changes.accept(post.id, isAnswer ? null : comment.id);
      }
      case 'votes':
        return setShowsVotes(true);
      case 'edit':
        thread.editing.value = comment.id;
        return undefined;
      case 'remove':
        return setIsRemoving(true);
    }
  };
  const label = words.commentMenu(
    comment.user === undefined ? '' : nameOfPerson(personNow(comment.user)),
  );
  return (
    <>
      <MenuButton label={label} items={linesOf(props, words)} isSmall onChoose={choose} />
      {showsVotes && (
        <VotersDialog
          on={{ kind: 'comment', id: comment.id }}
          totals={comment}
          onClose={() => setShowsVotes(false)}
        />
      )}
      {isRemoving && (
        <ConfirmDialog
          title={words.removeCommentTitle}
          text={words.removeCommentText}
          action={words.remove}
          onClose={() => setIsRemoving(false)}
          onConfirm={() => thread.remove(comment.id)}
        />
      )}
    </>
  );
}

function linesOf(
  { comment, post, rights, owner, settings }: MenuProps,
  words: PostText,
): readonly Line[] {
  const isOwn = owner !== undefined && comment.user?.id === owner;
  const lines: Line[] = [{ key: 'link', label: words.copyLink, icon: <LinkIcon /> }];
  if (settings.questions === true && (post.user.id === owner || rights.manage)) {
    const label = post.accepted_comment_id === comment.id ? words.unaccept : words.accept;
    lines.push({ key: 'accept', label, icon: <CheckIcon /> });
  }
  if (rights.viewVotes) {
    lines.push({ key: 'votes', label: words.voters.menu, icon: <PeopleIcon /> });
  }
  if (isOwn) lines.push({ key: 'edit', label: words.edit, icon: <EditIcon /> });
  if (isOwn || rights.manage) {
    const icon = <DeleteIcon />;
    lines.push({ key: 'remove', label: words.remove, icon, isDanger: true, isAfterLine: true });
  }
  return lines;
}
