import { useMemo, useState } from 'preact/hooks';
import type { Id, Post } from '@hearth/protocol';
import { newNonce } from '@hearth/sdk';
import { addPosts } from '@hearth/sdk/posts';
import { useCommunities } from '../../communities/use-communities.ts';
import { useConversationParts } from '../../conversation/use-conversation-parts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { postPath } from '../post-paths.ts';
import { ChannelField } from './new-post-dialog.tsx';
import { leftIn } from './post-draft.ts';
import { useProblems, type Problems } from './use-draft.ts';
import { useWritingText } from './use-writing-text.ts';
import { WrittenField } from './written-field.tsx';

interface CrosspostProps {
  readonly post: Post;
  readonly onClose: () => void;
}

/** The form in which a post is repeated in another channel. */
export function CrosspostDialog({ post, onClose }: CrosspostProps) {
  const words = useWritingText();
  const channels = useOtherChannels(post);
  const { title, setTitle, channel, setChannel, problems, isBusy, send } = useCrosspost(post);
  return (
    <Dialog title={words.crosspost} onClose={onClose}>
      <form
        class="post-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send(channels.find(({ id }) => id === channel)?.slug).then((isDone) => {
            if (isDone) onClose();
          });
        }}
      >
        <p class="hint">{words.crosspostText}</p>
        <ChannelField
          channels={channels.map(({ id, name }) => ({
            channel: { id, name },
            settings: {},
            mayAttach: false,
          }))}
          value={channel}
          problem={problems.channel}
          onChange={setChannel}
        />
        <WrittenField
          name="title"
          label={words.title}
          left={leftIn('title', title)}
          problem={problems.title}
        >
          {(wiring) => (
            <input
              {...wiring}
              class="text-field"
              dir="auto"
              value={title}
              onInput={({ currentTarget }) => setTitle(currentTarget.value)}
            />
          )}
        </WrittenField>
        <p class="problem" role="alert">
          {problems.all}
        </p>
        <div class="write-end">
          <button type="submit" class="button button-primary" aria-disabled={isBusy}>
            {words.publish}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function useCrosspost(post: Post) {
  const words = useWritingText();
  const checks = useProblems();
  const { client } = useConversationParts();
  const navigation = useNavigation();
  const nonce = useMemo(() => newNonce(), []);
  const [title, setTitle] = useState(post.title);
  const [channel, setChannel] = useState<Id | undefined>(undefined);
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setIsBusy] = useState(false);
  /** Resolves with whether it was posted. Never rejects. */
  const send = async (slug: string | undefined): Promise<boolean> => {
    if (isBusy) return false;
    if (channel === undefined || slug === undefined) {
      setProblems({ channel: words.problems['channel']?.['missing'] ?? '' });
      return false;
    }
    setIsBusy(true);
    try {
      const posts = addPosts(client);
      const made = await posts.crosspost(post.id, {
        channel_id: channel,
        title: title.trim(),
        nonce,
      });
      navigation.go(postPath(slug, made));
      return true;
    } catch (error) {
      setProblems(checks.of(error));
      setIsBusy(false);
      return false;
    }
  };
  return { title, setTitle, channel, setChannel, problems, isBusy, send };
}

/** The other channels in which the reader may post. */
function useOtherChannels(post: Post) {
  const all = useCommunities().own.value ?? [];
  return all.flatMap((community) =>
    community.channels
      .filter(({ id, kind, permissions }) => {
        return kind === 'posts' && id !== post.channel_id && permissions.has('CREATE_POSTS');
      })
      .map(({ id, name }) => ({ id, name: `${community.name} · ${name}`, slug: community.slug })),
  );
}
