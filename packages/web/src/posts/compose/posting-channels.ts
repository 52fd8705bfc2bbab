import type { Id } from '@hearth/protocol';
import type { ShownChannel, ShownCommunity } from '../../communities/shown-communities.ts';
import { settingsOf } from '../rights.ts';
import type { PostingChannel } from './new-post-dialog.tsx';

/** The channels in which the reader may post: that one, or all of a community. */
export function postingChannels(
  { own }: ShownCommunity,
  detailed: readonly ShownChannel[],
  only?: Id,
): readonly PostingChannel[] {
  return detailed.flatMap((channel) => {
    const may = own?.channels.find(({ id }) => id === channel.id)?.permissions;
    const isOther = only !== undefined && channel.id !== only;
    if (channel.kind !== 'posts' || isOther || may?.has('CREATE_POSTS') !== true) return [];
    const mayAttach = may.has('ATTACH_FILES');
    return [{ channel, settings: settingsOf(channel), mayAttach }];
  });
}
