import { useState } from 'preact/hooks';
import type { Embed, Post } from '@hearth/protocol';
import { LinkIcon } from '../../ui/action-icons.tsx';
import { HiddenIcon } from '../../ui/icons.tsx';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { hostOf } from '../list/excerpt.ts';
import { PostText } from '../post-text.tsx';
import { usePostText } from '../use-post-text.ts';
import type { PostContext } from './post-context.ts';
import { PostFiles } from './post-files.tsx';
import { PollView } from './poll-view.tsx';

/** Shows what a post says and shows, covered until it is asked for if it is a spoiler or sensitive. */
export function PostContent(props: PostContext) {
  const { post } = props;
  const [isShown, setIsShown] = useState(false);
  const isCovered = (post.spoiler === true || post.sensitive === true) && !isShown;
  if (isCovered) return <Cover post={post} onShow={() => setIsShown(true)} />;
  const files = post.attachments ?? [];
  return (
    <>
      {post.content !== undefined && <PostText written={post} />}
      {post.url !== undefined && <Preview url={post.url} embeds={post.embeds} />}
      {files.length > 0 && <PostFiles files={files} />}
      {post.poll !== undefined && <PollView {...props} poll={post.poll} />}
    </>
  );
}

function Cover({ post, onShow }: { readonly post: Post; readonly onShow: () => void }) {
  const words = usePostText();
  const { spoiler, sensitive } = post;
  const one = spoiler === true ? words.covered.spoiler : words.covered.sensitive;
  return (
    <div class="post-cover">
      <HiddenIcon />
      <p>{spoiler === true && sensitive === true ? words.covered.both : one}</p>
      <button type="button" class="button" onClick={onShow}>
        {words.reveal}
      </button>
    </div>
  );
}

/** The page that a post links to, as the instance has found it. */
function Preview({
  url,
  embeds,
}: {
  readonly url: string;
  readonly embeds: readonly Embed[] | undefined;
}) {
  const { media, learn } = useAttachmentParts();
  const embed = embeds?.find((each) => each.url === url) ?? embeds?.[0];
  const picture = embed?.picture;
  if (picture !== undefined) learn([picture]);
  return (
    <a class="post-preview" href={url} target="_blank" rel="noopener noreferrer nofollow">
      {picture !== undefined && (
        <img
          src={media.url(picture.id, media.sizeFor(240))}
          alt=""
          loading="lazy"
          decoding="async"
        />
      )}
      <span class="post-preview-text">
        <span class="post-preview-site">
          <LinkIcon />
          <span>{embed?.site_name ?? hostOf(url)}</span>
        </span>
        <strong dir="auto">{embed?.title ?? url}</strong>
        {embed?.description !== undefined && (
          <span class="hint" dir="auto">
            {embed.description}
          </span>
        )}
      </span>
    </a>
  );
}

function useAttachmentParts() {
  const attachments = useAttachments();
  return { media: attachments.media, learn: attachments.learn.bind(attachments) };
}
