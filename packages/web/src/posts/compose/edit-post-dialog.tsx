import { useState } from 'preact/hooks';
import type { Post, PostSettings } from '@hearth/protocol';
import { Dialog } from '../../ui/dialog.tsx';
import { usePosts } from '../use-posts.ts';
import { changeOf, draftOfPost } from './post-draft.ts';
import { PostForm } from './post-form.tsx';
import { useDraft, useProblems, type Problems } from './use-draft.ts';
import { useWritingText } from './use-writing-text.ts';

interface EditProps {
  readonly post: Post;
  readonly settings: PostSettings;
  readonly onClose: () => void;
}

/** The form in which an author changes a post. */
export function EditPostDialog({ post, settings, onClose }: EditProps) {
  const words = useWritingText();
  const posts = usePosts();
  const checks = useProblems();
  const { draft, change, forget } = useDraft(`edit.${post.id}`, draftOfPost(post));
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setIsBusy] = useState(false);
  const save = async () => {
    const found = checks.found(draft);
    setProblems(found);
    if (Object.keys(found).length > 0 || isBusy) return;
    setIsBusy(true);
    try {
      const changed = changeOf(draft, post);
      if (Object.keys(changed).length > 0) await posts.changes.change(post.id, changed);
      forget();
      onClose();
    } catch (error) {
      setProblems(checks.of(error));
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={words.editPost} isWide onClose={onClose}>
      <PostForm
        draft={draft}
        settings={settings}
        problems={problems}
        uploads={undefined}
        mayAttach={false}
        onChange={change}
        onSubmit={() => void save()}
      >
        <button
          type="button"
          class="button button-quiet"
          onClick={() => {
            forget();
            onClose();
          }}
        >
          {words.drop}
        </button>
        <button type="submit" class="button button-primary" aria-disabled={isBusy}>
          {words.save}
        </button>
      </PostForm>
    </Dialog>
  );
}
