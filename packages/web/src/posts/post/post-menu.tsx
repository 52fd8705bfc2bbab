import { useState } from 'preact/hooks';
import { DeleteIcon, EditIcon, PinIcon } from '../../ui/action-icons.tsx';
import { HiddenIcon, PeopleIcon, PostsIcon } from '../../ui/icons.tsx';
import { LockIcon } from '../../ui/place-icons.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { MenuButton } from '../menu-button.tsx';
import { usePosts } from '../use-posts.ts';
import { VotersDialog } from '../voters/voters-dialog.tsx';
import { CrosspostDialog } from '../compose/crosspost-dialog.tsx';
import { EditPostDialog } from '../compose/edit-post-dialog.tsx';
import { useWritingText, type WritingText } from '../compose/use-writing-text.ts';
import { usePostText, type PostText } from '../use-post-text.ts';
import type { PostContext } from './post-context.ts';

interface Line extends MenuItem {
  readonly key:
    | 'edit'
    | 'crosspost'
    | 'votes'
    | 'pin'
    | 'lock'
    | 'spoiler'
    | 'sensitive'
    | 'remove';
}

/** Shows what moderators and the author can do with a post. */
export function PostMenu(props: PostContext & { readonly back: string }) {
  const words = usePostText();
  const posts = usePosts();
  const navigation = useNavigation();
  const [isRemoving, setIsRemoving] = useState(false);
  const writing = useWritingText();
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const items = linesOf(props, { words, writing });
  if (items.length === 0) return null;
  const { post, back } = props;
  const choose = ({ key }: Line) => {
    switch (key) {
      case 'pin':
        return void posts.changes.mark(post.id, { pinned: post.pinned !== true });
      case 'lock':
        return void posts.changes.mark(post.id, { locked: post.locked !== true });
      case 'spoiler':
        return void posts.changes.mark(post.id, { spoiler: post.spoiler !== true });
      case 'sensitive':
        return void posts.changes.mark(post.id, { sensitive: post.sensitive !== true });
      case 'edit':
      case 'crosspost':
      case 'votes':
        return setOpened(key);
      case 'remove':
        return setIsRemoving(true);
    }
  };
  return (
    <>
      <MenuButton label={words.menu} items={items} onChoose={choose} />
      <OpenedDialog {...props} opened={opened} onClose={() => setOpened(undefined)} />
      {isRemoving && (
        <ConfirmDialog
          title={words.removeTitle}
          text={words.removeText}
          action={words.remove}
          onClose={() => setIsRemoving(false)}
          onConfirm={async () => {
            if (await posts.changes.remove(post.id)) navigation.go(back);
          }}
        />
      )}
    </>
  );
}

/** The dialog that is open. */
type Opened = 'edit' | 'crosspost' | 'votes';

interface OpenedProps extends PostContext {
  readonly opened: Opened | undefined;
  readonly onClose: () => void;
}

function OpenedDialog({ opened, post, settings, onClose }: OpenedProps) {
  switch (opened) {
    case 'edit':
      return <EditPostDialog post={post} settings={settings} onClose={onClose} />;
    case 'crosspost':
      return <CrosspostDialog post={post} onClose={onClose} />;
    case 'votes':
      return <VotersDialog on={{ kind: 'post', id: post.id }} totals={post} onClose={onClose} />;
    case undefined:
      return null;
  }
}

interface LineWords {
  readonly words: PostText;
  readonly writing: WritingText;
}

function linesOf(
  { post, rights, owner }: PostContext,
  { words, writing }: LineWords,
): readonly Line[] {
  const isOwn = post.user.id === owner;
  const lines: Line[] = [];
  if (isOwn) lines.push({ key: 'edit', label: words.edit, icon: <EditIcon /> });
  if (owner !== undefined) {
    lines.push({ key: 'crosspost', label: writing.crosspost, icon: <PostsIcon /> });
  }
  if (rights.viewVotes) {
    lines.push({ key: 'votes', label: words.voters.menu, icon: <PeopleIcon /> });
  }
  if (rights.pin) {
    const label = post.pinned === true ? words.unpin : words.pin;
    lines.push({ key: 'pin', label, icon: <PinIcon /> });
  }
  if (rights.manage) {
    const label = post.locked === true ? words.unlock : words.lock;
    lines.push({ key: 'lock', label, icon: <LockIcon /> });
  }
  if (rights.manage || isOwn) {
    const spoiler = post.spoiler === true ? words.unmarkSpoiler : words.markSpoiler;
    const sensitive = post.sensitive === true ? words.unmarkSensitive : words.markSensitive;
    lines.push({ key: 'spoiler', label: spoiler, icon: <HiddenIcon /> });
    lines.push({ key: 'sensitive', label: sensitive, icon: <HiddenIcon /> });
    const icon = <DeleteIcon />;
    lines.push({ key: 'remove', label: words.remove, icon, isDanger: true, isAfterLine: true });
  }
  return lines;
}
