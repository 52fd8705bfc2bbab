import type { Id, Post, PostSettings } from '@hearth/protocol';
import { shownSize } from '@hearth/sdk';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { useFormats } from '../../text/use-text.ts';
import { PlayIcon } from '../../ui/icons.tsx';
import { LinkIcon } from '../../ui/action-icons.tsx';
import { Author, When } from '../by-line.tsx';
import { CommentIcon, SaveIcon } from '../icons.tsx';
import { postHref } from '../post-paths.ts';
import { PostMarks } from '../post-marks.tsx';
import type { PostRights } from '../rights.ts';
import { usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import { VoteBox } from '../vote-box.tsx';
import { excerptOf, hostOf } from './excerpt.ts';
import type { ListLook } from './kept-look.ts';

interface CardProps {
  readonly id: Id;
  readonly look: ListLook;
  readonly slug: string;
  /** The channel or community, if the list has posts of several. */
  readonly place: string | undefined;
  readonly rights: PostRights;
  readonly settings: PostSettings;
  /** Up to where the reader has read the channel. */
  readonly readUpTo: Id | undefined;
}

/** A post in a list. */
export function PostCard({ id, ...props }: CardProps) {
  const post = usePosts().known.at(id).value;
  return post === undefined ? null : <Card post={post} {...props} />;
}

function Card({
  post,
  look,
  slug,
  place,
  rights,
  settings,
  readUpTo,
}: Omit<CardProps, 'id'> & { readonly post: Post }) {
  const words = usePostText();
  const posts = usePosts();
  const isCovered = post.spoiler === true || post.sensitive === true;
  const isUnread = readUpTo !== undefined && BigInt(post.id) > BigInt(readUpTo);
  const titleId = `post-${post.id}`;
  return (
    <article
      class="post-card"
      data-look={look}
      data-post={post.id}
      data-pinned={post.pinned}
      tabIndex={-1}
      aria-labelledby={titleId}
    >
      <div class="post-card-text">
        <p class="post-card-head">
          {isUnread && <span class="post-unread">{words.unread}</span>}
          {place !== undefined && <span class="post-place">{place}</span>}
          <Author user={post.user} hasPicture={look === 'cards'} />
          <When at={post.created_at} editedAt={undefined} />
          {look === 'lines' && <CommentsLink post={post} slug={slug} />}
        </p>
        <h2 id={titleId} dir="auto">
          <a class="post-link" href={postHref(slug, post)}>
            {post.title}
          </a>
        </h2>
        <PostMarks post={post} settings={settings} />
        {post.url !== undefined && <Host url={post.url} />}
        {!isCovered && look === 'cards' && <Excerpt content={post.content} />}
      </div>
      <Thumbnail post={post} isCovered={isCovered} look={look} />
      <div class="post-card-foot">
        <VoteBox
          subject={post}
          mayVote={rights.vote && post.locked !== true}
          hasDownvotes={settings.downvotes !== false}
          onVote={(value) => void posts.changes.vote(post.id, value)}
        />
        {look === 'cards' && <CommentsLink post={post} slug={slug} />}
        {!rights.isVisitor && look === 'cards' && <SaveButton post={post} />}
      </div>
    </article>
  );
}

function CommentsLink({ post, slug }: { readonly post: Post; readonly slug: string }) {
  const words = usePostText();
  const formats = useFormats();
  const { comment_count: count, new_comments: news = 0 } = post;
  return (
    <a
      class="post-action"
      href={postHref(slug, post)}
      aria-label={words.comments(count, formats.count(count))}
    >
      <CommentIcon />
      <span>{formats.count(count)}</span>
      {news > 0 && <span class="post-news">{words.news(news, formats.count(news))}</span>}
    </a>
  );
}

/** Keeps a post for later. */
export function SaveButton({ post }: { readonly post: Post }) {
  const words = usePostText();
  const posts = usePosts();
  const isSaved = post.saved === true;
  return (
    <button
      type="button"
      class="post-action"
      aria-pressed={isSaved}
      onClick={() => void posts.changes.save(post.id, !isSaved)}
    >
      <SaveIcon isOn={isSaved} />
      <span>{isSaved ? words.saved : words.save}</span>
    </button>
  );
}

function Host({ url }: { readonly url: string }) {
  return (
    <a class="post-host" href={url} target="_blank" rel="noopener noreferrer nofollow">
      <LinkIcon />
      <span>{hostOf(url)}</span>
    </a>
  );
}

function Excerpt({ content }: { readonly content: string | undefined }) {
  const text = excerptOf(content ?? '');
  return text === '' ? null : (
    <p class="post-excerpt" dir="auto">
      {text}
    </p>
  );
}

/** The first picture or video; decorative, because the post shows it. */
function Thumbnail({
  post,
  isCovered,
  look,
}: {
  readonly post: Post;
  readonly isCovered: boolean;
  readonly look: ListLook;
}) {
  const { media, learn } = useThumbnails();
  const file =
    post.attachments?.find(
      ({ metadata }) => metadata.type === 'image' || metadata.type === 'video',
    ) ?? post.embeds?.find(({ picture }) => picture !== undefined)?.picture;
  if (file === undefined) return null;
  learn([file]);
  const size = shownSize(file);
  const isHidden = isCovered || file.spoiler === true;
  const count = post.attachments?.length ?? 0;
  return (
    <div class="post-thumb" data-look={look} data-covered={isHidden || undefined}>
      {!isHidden && file.metadata.type === 'image' && (
        <img
          src={media.url(file.id, media.sizeFor(look === 'cards' ? 480 : 96))}
          alt=""
          loading="lazy"
          decoding="async"
          width={size?.width}
          height={size?.height}
        />
      )}
      {file.metadata.type === 'video' && <PlayIcon />}
      {!isHidden && count > 1 && <span class="post-thumb-count">+{count - 1}</span>}
    </div>
  );
}

function useThumbnails() {
  const attachments = useAttachments();
  return { media: attachments.media, learn: attachments.learn.bind(attachments) };
}
