import { titleSegment, webPath, type Community, type Post } from '@hearth/protocol';
import type { FeedLink } from './page-head.ts';

/** The paths of what everyone may read. */
export const plainPaths = {
  community: ({ slug }: Pick<Community, 'slug'>): string => webPath('community', { slug }),
  channel: ({ slug }: Pick<Community, 'slug'>, channelId: string): string =>
    webPath('channel', { slug, channel_id: channelId }),
  post: ({ slug }: Pick<Community, 'slug'>, { id, title }: Pick<Post, 'id' | 'title'>): string =>
    webPath('post', { slug, post_id: id, title: titleSegment(title) }),
  user: (username: string): string => webPath('user', { username }),
};

/** The absolute addresses of what everyone may read. */
export class PlainAddresses {
  readonly #webUrl: string;

  /** `webUrl` is the address of the web client, without a slash at its end. */
  constructor(webUrl: string) {
    this.#webUrl = webUrl;
  }

  /** The address of a path. */
  at(path: string): string {
    return this.#webUrl + path;
  }

  user(username: string): string {
    return this.at(plainPaths.user(username));
  }

  /** The feeds of a place. */
  feedsOf(url: string, title: string): readonly FeedLink[] {
    return (['rss', 'atom'] as const).map((format) => ({ title, url: `${url}.${format}`, format }));
  }
}
