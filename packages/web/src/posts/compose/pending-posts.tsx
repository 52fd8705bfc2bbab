import { useState } from 'preact/hooks';
import type { Id } from '@hearth/protocol';
import { NewPostDialog, type PostingChannel } from './new-post-dialog.tsx';
import { useProblems } from './use-draft.ts';
import { useWriting, type PendingPost } from './use-writing.ts';
import { useWritingText } from './use-writing-text.ts';

interface PendingProps {
  /** Channels in which the reader may post; posts in these are shown. */
  readonly channels: readonly PostingChannel[];
}

/** The reader's posts on their way, and those that failed, which can be changed and sent again. */
export function PendingPosts({ channels }: PendingProps) {
  const { outbox } = useWriting();
  const [edited, setEdited] = useState<PendingPost | undefined>(undefined);
  const ids = new Set<Id>(channels.map(({ channel }) => channel.id));
  const shown = outbox.pending.value.filter(({ input }) => ids.has(input.channel));
  if (shown.length === 0 && edited === undefined) return null;
  return (
    <div class="write-pending">
      {shown.map((post) => (
        <Pending
          key={post.key}
          post={post}
          onEdit={() => {
            outbox.drop(post.key);
            setEdited(post);
          }}
        />
      ))}
      {edited !== undefined && (
        <NewPostDialog
          channels={channels.filter(({ channel }) => channel.id === edited.input.channel)}
          from={edited.input.from_message}
          error={edited.error}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}

function Pending({ post, onEdit }: { readonly post: PendingPost; readonly onEdit: () => void }) {
  const words = useWritingText();
  const { outbox, drafts } = useWriting();
  const problems = useProblems();
  const { place, draft } = post.input;
  if (!('error' in post)) {
    return (
      <p class="write-pending-post" role="status">
        {words.pending(draft.title)}
      </p>
    );
  }
  const [problem = ''] = Object.values(problems.of(post.error));
  return (
    <div class="write-pending-post" data-failed>
      <p role="alert">
        <strong>{words.notPosted(draft.title)}</strong> {problem}
      </p>
      <div class="write-row">
        <button
          type="button"
          class="button"
          onClick={() =>
            void outbox.retry(post).then(
              () => drafts.keep(place, ''),
              () => {},
            )
          }
        >
          {words.again}
        </button>
        <button type="button" class="button" onClick={onEdit}>
          {words.edit}
        </button>
        <button
          type="button"
          class="button button-quiet"
          onClick={() => {
            drafts.keep(place, '');
            outbox.drop(post.key);
          }}
        >
          {words.drop}
        </button>
      </div>
    </div>
  );
}
