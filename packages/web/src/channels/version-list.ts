import type { ChannelMessage, Id, MessageVersion } from '@hearth/protocol';
import type { ChannelClient } from '@hearth/sdk';
import { PagedList } from '../communities/paged-list.ts';

const PAGE = 50;

/** A message as it is now, or as it was once. */
export type ShownVersion = ChannelMessage | MessageVersion;

/** The message, and then its earlier versions, the newest first. */
export function versionList(
  channel: Pick<ChannelClient, 'message' | 'versions'>,
  id: Id,
): PagedList<ShownVersion> {
  return new PagedList<ShownVersion>(async (cursor) => {
    const before = cursor === undefined ? {} : { before: Number(cursor) };
    const [now, versions] = await Promise.all([
      cursor === undefined ? channel.message(id) : undefined,
      channel.versions(id, { limit: PAGE, ...before }),
    ]);
    const last = versions.length < PAGE ? undefined : versions.at(-1);
    return {
      entries: now === undefined ? versions : [now, ...versions],
      next: last === undefined ? undefined : String(last.version),
    };
  });
}
