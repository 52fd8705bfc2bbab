import {
  titleSegment,
  webPath,
  type ChannelKind,
  type FoundAnywhere,
  type Id,
  type SearchedKind,
  type UserSummary,
} from '@hearth/protocol';
import { highlights, readQuote } from '@hearth/sdk';
import { channelOf } from './client-source.ts';

/** A channel, and the community that it belongs to. */
export interface KnownChannel {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly community: { readonly id: Id; readonly slug: string; readonly name: string };
}

/** Something that was found, as the page shows it. */
export interface Hit {
  readonly id: Id;
  readonly kind: SearchedKind;
  readonly author: string;
  readonly user: UserSummary | undefined;
  readonly createdAtMs: number;
  /** Undefined in the lobby. */
  readonly channel: KnownChannel | undefined;
  readonly isInLobby: boolean;
  /** The path of its place in the page. */
  readonly path: string;
  /** The title of a post, or of the post to which a comment belongs. */
  readonly title: string | undefined;
  /** In Markdown. Empty if there is nothing to read, or if it is covered. */
  readonly content: string;
}

/** The knowledge of the page about what was found. */
export interface HitContext {
  /** The words that were looked for. */
  readonly query: string;
  readonly channelAt: (id: Id) => KnownChannel | undefined;
  /** Returns the text of a message of the lobby without the addresses of its files. */
  readonly withoutFiles: (content: string) => string;
}

/** Describes something that was found; undefined if its channel is not known any more. */
export function hitOf(found: FoundAnywhere, context: HitContext): Hit | undefined {
  const channelId = channelOf(found);
  const channel = channelId && context.channelAt(channelId);
  if (channelId !== undefined && channel === undefined) return undefined;
  const slug = channel?.community.slug ?? '';
  const shared = { id: found.id, kind: found.kind, channel, isInLobby: channelId === undefined };
  switch (found.kind) {
    case 'messages': {
      const { author, user, created_at: createdAtMs, content } = found.message;
      const message = { message_id: found.id };
      return {
        ...shared,
        author,
        user,
        createdAtMs,
        title: undefined,
        content: channelId === undefined ? lobbyText(content, context) : content,
        path:
          channelId === undefined
            ? webPath('lobbyMessage', message)
            : webPath('channelMessage', { ...message, slug, channel_id: channelId }),
      };
    }
    case 'posts': {
      const { user, title, spoiler, sensitive, created_at: createdAtMs } = found.post;
      const isCovered = spoiler === true || sensitive === true;
      return {
        ...shared,
        author: user.username,
        user,
        createdAtMs,
        title,
        content: isCovered ? '' : postText(found.post, context.query),
        path: webPath('post', { slug, post_id: found.id, title: titleSegment(title) }),
      };
    }
    case 'comments': {
      const { user, post, post_id: postId, content = '', created_at: createdAtMs } = found.comment;
      const title = titleSegment(post?.title ?? '');
      return {
        ...shared,
        author: user?.username ?? '',
        user,
        createdAtMs,
        title: post?.title,
        content,
        path: webPath('postComment', { slug, post_id: postId, title, comment_id: found.id }),
      };
    }
  }
}

/** Returns the text of a message of the lobby. What was found may be in the quote that it begins with. */
function lobbyText(content: string, { query, withoutFiles }: HitContext): string {
  const own = readQuote(content)?.text ?? content;
  const isInOwn = highlights(own, query).length > 0 || highlights(content, query).length === 0;
  return withoutFiles(isInOwn ? own : content);
}

/** Returns the text of a post, or its address if the words are only there. */
function postText({ content = '', url = '' }: PostTexts, query: string): string {
  const isInUrl = highlights(content, query).length === 0 && highlights(url, query).length > 0;
  return isInUrl ? url : content;
}

interface PostTexts {
  readonly content?: string;
  readonly url?: string;
}
