import type { Id } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import { addPosts } from '@hearth/sdk/posts';
import type { ListPlace, PostEvents, PostRequests, PostSource } from './post-source.ts';

type PostsClient = ReturnType<typeof addPosts>;

type Listeners = { [Name in keyof PostEvents]: Set<(event: PostEvents[Name]) => void> };

/** The posts of an instance, through the client that the page has. */
export function sdkSource(client: Client): PostSource {
  const posts = addPosts(client);
  const listeners: Listeners = {
    post: new Set(),
    postUpdate: new Set(),
    postDelete: new Set(),
    comment: new Set(),
    commentUpdate: new Set(),
    commentDelete: new Set(),
    score: new Set(),
    gap: new Set(),
    missed: new Set(),
  };
  const report = <Name extends keyof PostEvents>(name: Name, event: PostEvents[Name]) => {
    for (const listener of listeners[name]) listener(event);
  };
  client.on('post', ({ post }) => report('post', post));
  client.on('postUpdate', (post) => report('postUpdate', post));
  client.on('postDelete', (gone) => report('postDelete', gone));
  client.on('postsMissed', () => report('gap', undefined));
  return {
    requests: requestsOf(client, posts),
    on(name, listener) {
      listeners[name].add(listener);
      return () => listeners[name].delete(listener);
    },
    watch: (id) => watch(posts, id, report),
  };
}

type Report = <Name extends keyof PostEvents>(name: Name, event: PostEvents[Name]) => void;

function watch(posts: PostsClient, id: Id, report: Report): ReturnType<PostSource['watch']> {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  // Without a gateway, the comments are shown as they are.
  let wasShown = false;
  const timer = setTimeout(() => {
    wasShown = true;
    resolve();
  }, MOST_WAIT_MS);
  const stop = posts.follow(id, {
    watched(isWatched) {
      if (!isWatched) return;
      // What was read before lacks what happened until now.
      if (wasShown) report('missed', id);
      wasShown = true;
      resolve();
    },
    event(event) {
      switch (event.op) {
        case 'COMMENT_CREATE':
          return report('comment', event.d);
        case 'COMMENT_UPDATE':
          return report('commentUpdate', event.d);
        case 'COMMENT_DELETE':
          return report('commentDelete', event.d);
        case 'SCORE_UPDATE':
          return report('score', event.d);
        case 'POST_CREATE':
        case 'POST_UPDATE':
        case 'POST_DELETE':
          // They are reported for all posts.
          return undefined;
      }
    },
  });
  return {
    begun,
    stop: () => {
      clearTimeout(timer);
      stop();
    },
  };
}

/** The time that comments wait until they are watched. Then they are shown, and read again once they are. */
const MOST_WAIT_MS = 300;

function requestsOf({ communities }: Client, posts: PostsClient): PostRequests {
  const { comments } = posts;
  return {
    list: (place, { sort, since, tag, cursor }) =>
      place.kind === 'user' || place.kind === 'saved'
        ? posts.list(placeOf(place), { cursor, limit: 30 })
        : posts.list(placeOf(place), { sort, since, tag, cursor, limit: 30 }),
    find: (id) => posts.find(id),
    slugOf: async (id) => (communities.get(id) ?? (await communities.find(id))).slug,
    create: (channel, post) => posts.create(channel, post),
    change: (id, change) => posts.change(id, change),
    remove: (id) => posts.remove(id),
    vote: (id, value) => posts.vote(id, value),
    votes: ({ kind, id }, range) => (kind === 'post' ? posts : comments).votes(id, range),
    save: (id, isSaved) => (isSaved ? posts.save(id) : posts.unsave(id)),
    votePoll: (id, options) => posts.votePoll(id, options),
    accept: (id, comment) => posts.accept(id, comment),
    markRead: (id) => posts.markRead(id),
    comments: (post, { sort, under, cursor }) =>
      comments.list(post, { sort, under, cursor, limit: 100 }),
    context: (comment, above) => comments.context(comment, { context: above }),
    comment: (post, comment) => comments.create(post, comment),
    changeComment: (id, content) => comments.change(id, content),
    removeComment: (id) => comments.remove(id),
    voteComment: (id, value) => comments.vote(id, value),
    commentsOf: (user, cursor) => comments.ofUser(user, { cursor, limit: 30 }),
  };
}

function placeOf(place: ListPlace): Parameters<PostsClient['list']>[0] {
  switch (place.kind) {
    case 'channel':
      return { channel_id: place.id };
    case 'community':
      return { community_id: place.id };
    case 'user':
      return { user_id: place.id };
    case 'saved':
    case 'feed':
      return place.kind;
  }
}
