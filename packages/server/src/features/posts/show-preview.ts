import type { Transaction } from '../../ports/database/database.ts';
import type { ChannelAccess } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { requestPreview } from '../link-previews/request-preview.ts';
import { may } from '../messages/message-access.ts';
import type { StoredPost } from './stored-post.ts';

/** Shows a preview of the address of a post, if it has one and its author may. */
export async function showPreview(
  tx: Transaction,
  ctx: CommunityContext,
  { post, access }: { readonly post: StoredPost; readonly access: ChannelAccess },
): Promise<void> {
  const { id, channelId, url } = post;
  if (url === '' || !may(access, 'EMBED_LINKS')) return;
  await requestPreview(ctx, tx, { kind: 'post', id, channelId, url });
}
