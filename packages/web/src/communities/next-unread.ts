import { webPath, type WebPlace } from '@hearth/protocol';
import { channelsInOrder } from './channel-tree.ts';
import type { Communities } from './communities.ts';
import { channelPath } from './paths.ts';

interface From {
  readonly place: WebPlace | undefined;
  /** 1 for the next one, -1 for the one before. */
  readonly step: 1 | -1;
  readonly isLobbyUnread: boolean;
}

/** The path of the unread place after or before the one where the reader is, round and round; undefined if all is read. */
export function nextUnread(
  communities: Pick<Communities, 'own' | 'marks'>,
  { place, step, isLobbyUnread }: From,
): string | undefined {
  const lobby = { path: webPath('lobby', {}), isUnread: isLobbyUnread };
  const all = [
    lobby,
    ...(communities.own.peek() ?? []).flatMap((community) =>
      channelsInOrder(community.channels).map((channel) => {
        const { isUnread, mentions } = communities.marks.ofChannel(community, channel);
        return {
          path: channelPath(community.slug, channel.id),
          isUnread: isUnread || mentions > 0,
        };
      }),
    ),
  ];
  const here = all.findIndex(({ path }) => path === pathOf(place));
  // From elsewhere, the first one or the last one.
  const start = here === -1 && step === -1 ? all.length : here;
  for (let away = 1; away <= all.length; away += 1) {
    const at = (((start + step * away) % all.length) + all.length) % all.length;
    const found = all[at];
    if (found?.isUnread === true && at !== here) return found.path;
  }
  return undefined;
}

function pathOf(place: WebPlace | undefined): string | undefined {
  if (place?.name === 'lobby' || place?.name === 'lobbyMessage') return webPath('lobby', {});
  if (place?.name !== 'channel' && place?.name !== 'channelMessage') return undefined;
  const { slug, channel_id: id } = place.params;
  return webPath('channel', { slug, channel_id: id });
}
