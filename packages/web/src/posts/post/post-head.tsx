import { useEffect, useState } from 'preact/hooks';
import { webPath, type Id } from '@hearth/protocol';
import { ownPath } from '../../lib/own-path.ts';
import { useFormats } from '../../text/use-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { Author, When } from '../by-line.tsx';
import { CommentIcon } from '../icons.tsx';
import { SaveButton } from '../list/post-card.tsx';
import { postPath } from '../post-paths.ts';
import { PostMarks } from '../post-marks.tsx';
import { usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import { shortCount } from '../short-values.ts';
import { VoteBox } from '../vote-box.tsx';
import { PostContent } from './post-content.tsx';
import type { PostContext } from './post-context.ts';
import { PostMenu } from './post-menu.tsx';

interface HeadProps extends PostContext {
  /** The path of the list that the post is in. */
  readonly back: string;
}

/** A post: who, when, what, and what can be done with it. */
export function PostHead(props: HeadProps) {
  const words = usePostText();
  const formats = useFormats();
  const posts = usePosts();
  const navigation = useNavigation();
  const { post, slug, rights, settings, thread } = props;
  const news = thread.newAtFirst.value;
  const { comment_count: count } = post;
  return (
    <article class="post" data-opened={post.id} tabIndex={-1} aria-labelledby={`post-${post.id}`}>
      <p class="post-card-head">
        <Author user={post.user} />
        <When at={post.created_at} editedAt={post.edited_at} />
        <Origin {...props} />
      </p>
      <h2 id={`post-${post.id}`} class="post-title" dir="auto">
        {post.title}
      </h2>
      <PostMarks post={post} settings={settings} />
      <PostContent {...props} />
      {post.locked === true && <p class="post-locked">{words.lockedText}</p>}
      <div class="post-foot">
        <VoteBox
          subject={post}
          mayVote={rights.vote && post.locked !== true}
          hasDownvotes={settings.downvotes !== false}
          onVote={(value) => void posts.changes.vote(post.id, value)}
        />
        <span class="post-action post-count">
          <CommentIcon />
          <span>{words.comments(count, formats.count(count))}</span>
          <b class="post-count-short" aria-hidden="true">
            {shortCount(formats.locale, count)}
          </b>
        </span>
        {news > 0 && <span class="post-news">{words.newSince(news, formats.count(news))}</span>}
        {!rights.isVisitor && <SaveButton post={post} />}
        <CopyButton
          class="icon-button"
          label={words.copyLink}
          text={navigation.urlOf(postPath(slug, post))}
        />
        <PostMenu {...props} />
      </div>
    </article>
  );
}

/** Shows where the post comes from, if from a message or another post. */
function Origin({ post, slug }: PostContext) {
  const words = usePostText();
  const { from_message: message, crosspost_of: other } = post;
  return (
    <>
      {message !== undefined && (
        <a
          class="post-origin"
          href={ownPath(
            webPath('channelMessage', {
              slug,
              channel_id: message.channel_id,
              message_id: message.id,
            }),
          )}
        >
          {words.fromMessage}
        </a>
      )}
      {other !== undefined && <Repeated id={other} slug={slug} />}
    </>
  );
}

/** The post that this one repeats. */
function Repeated({ id, slug }: { readonly id: Id; readonly slug: string }) {
  const words = usePostText();
  const posts = usePosts();
  const title = posts.known.at(id).value?.title;
  const [path, setPath] = useState(webPath('untitledPost', { slug, post_id: id }));
  useEffect(() => {
    void posts.pathOf(id).then((found) => found !== undefined && setPath(found));
  }, [posts, id]);
  return (
    <a class="post-origin" href={ownPath(path)}>
      {title === undefined ? words.crosspostOf : words.repeats(title)}
    </a>
  );
}
