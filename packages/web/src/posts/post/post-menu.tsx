import { useState } from 'preact/hooks';
import { DeleteIcon, PinIcon } from '../../ui/action-icons.tsx';
import { HiddenIcon } from '../../ui/icons.tsx';
import { LockIcon } from '../../ui/place-icons.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { MenuButton } from '../menu-button.tsx';
import { usePosts } from '../use-posts.ts';
import { usePostText, type PostText } from '../use-post-text.ts';
import type { PostContext } from './post-context.ts';

interface Line extends MenuItem {
  readonly key: 'pin' | 'lock' | 'spoiler' | 'sensitive' | 'remove';
}

/** What moderators and the author can do with a post. */
export function PostMenu(props: PostContext & { readonly back: string }) {
  const words = usePostText();
  const posts = usePosts();
  const navigation = useNavigation();
  const [isRemoving, setIsRemoving] = useState(false);
  const items = linesOf(props, words);
  if (items.length === 0) return null;
  const { post, back } = props;
  const choose = ({ key }: Line) => {
    switch (key) {
      case 'pin':
        return void posts.mark(post.id, { pinned: post.pinned !== true });
      case 'lock':
        return void posts.mark(post.id, { locked: post.locked !== true });
      case 'spoiler':
        return void posts.mark(post.id, { spoiler: post.spoiler !== true });
      case 'sensitive':
        return void posts.mark(post.id, { sensitive: post.sensitive !== true });
      case 'remove':
        return setIsRemoving(true);
    }
  };
  return (
    <>
      <MenuButton label={words.menu} items={items} onChoose={choose} />
      {isRemoving && (
        <ConfirmDialog
          title={words.removeTitle}
          text={words.removeText}
          action={words.remove}
          onClose={() => setIsRemoving(false)}
          onConfirm={async () => {
            if (await posts.remove(post.id)) navigation.go(back);
          }}
        />
      )}
    </>
  );
}

function linesOf({ post, rights, owner }: PostContext, words: PostText): readonly Line[] {
  const isOwn = post.user.id === owner;
  const lines: Line[] = [];
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
