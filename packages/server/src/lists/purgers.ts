import type { PurgeContent } from '../features/communities/purge/purge-communities.ts';
import { purgePostFiles } from '../features/forum/posts/remove-posts.ts';
import { purgeVotes } from '../features/forum/voting/purge-votes.ts';
import { purgeIndexed } from '../features/search/search/search.ts';
import { purgeFiles } from '../features/talk/messages/purge-files.ts';
import type { InstanceContext } from '../instance-context.ts';

/**
 * Functions that remove the content of channels, by the features that keep more than rows of it. Votes go first: they
 * are found by the posts and comments.
 */
export const PURGERS: readonly PurgeContent<InstanceContext>[] = [
  purgeVotes,
  purgeFiles,
  purgePostFiles,
];

/** Functions that remove what was made from the rows of channels, which could be made again as long as there are rows. */
export const PURGERS_AFTER_ROWS: readonly PurgeContent<InstanceContext>[] = [purgeIndexed];
