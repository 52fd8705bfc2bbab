import { HearthError } from '../errors.ts';
import type { PostsClient } from './posts-client.ts';
import type { PostsHost, PostsListener } from './posts-host.ts';

/** The place of the part for posts, which may be loaded later than that for communities. */
export class PostsSlot {
  readonly #host: PostsHost;
  #client: PostsClient | undefined;
  #listener: PostsListener | undefined;

  constructor(host: Omit<PostsHost, 'listen'>) {
    this.#host = { ...host, listen: (listener) => void (this.#listener = listener) };
  }

  get listener(): PostsListener | undefined {
    return this.#listener;
  }

  get client(): PostsClient {
    if (this.#client === undefined) throw new HearthError('Posts are not loaded yet');
    return this.#client;
  }

  fill(make: (host: PostsHost) => PostsClient): PostsClient {
    this.#client ??= make(this.#host);
    return this.#client;
  }
}
