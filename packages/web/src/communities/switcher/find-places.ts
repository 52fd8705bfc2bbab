import { foldText, webPath } from '@hearth/protocol';
import { channelsInOrder } from '../channel-tree.ts';
import type { Communities } from '../communities.ts';
import type { MyCommunity } from '@hearth/sdk';
import { channelPath, communityPath } from '../paths.ts';
import type { CommunityText } from '../use-community-text.ts';

/** Somewhere to go. */
export interface SwitcherPlace {
  readonly path: string;
  readonly name: string;
  /** The place around it, if that is not clear. */
  readonly context: string | undefined;
  readonly kind: 'home' | 'lobby' | 'find' | 'create' | 'settings' | 'community' | 'channel';
  readonly community: MyCommunity | undefined;
  readonly isUnread: boolean;
  readonly mentions: number;
}

const MOST_SHOWN = 50;

/** Everything where the reader can go, those with something new first. */
export function allPlaces(
  communities: Pick<Communities, 'own' | 'marks'>,
  { frame, switcher }: Pick<CommunityText, 'frame' | 'switcher'>,
): readonly SwitcherPlace[] {
  const own = communities.own.value ?? [];
  const fixed = (kind: SwitcherPlace['kind'], name: string, path: string): SwitcherPlace => ({
    path,
    name,
    kind,
    context: undefined,
    community: undefined,
    isUnread: false,
    mentions: 0,
  });
  const places = [
    fixed('home', frame.home, webPath('home', {})),
    fixed('lobby', frame.lobby, webPath('lobby', {})),
    ...own.flatMap((community): readonly SwitcherPlace[] => [
      {
        path: communityPath(community.slug),
        name: community.name,
        context: undefined,
        kind: 'community',
        community,
        ...communities.marks.of(community),
      },
      ...channelsInOrder(community.channels).map((channel): SwitcherPlace => ({
        path: channelPath(community.slug, channel.id),
        name: channel.name,
        context: community.name,
        kind: 'channel',
        community,
        ...communities.marks.ofChannel(community, channel),
      })),
    ]),
    fixed('find', frame.find, webPath('communities', {})),
    fixed('create', frame.create, webPath('newCommunity', {})),
    fixed('settings', switcher.yourSettings, webPath('settings', {})),
    ...own.map((community): SwitcherPlace => ({
      ...fixed(
        'settings',
        switcher.settingsOf(community.name),
        webPath('communitySettings', { slug: community.slug }),
      ),
      community,
    })),
  ];
  const weight = ({ isUnread, mentions }: SwitcherPlace) => (mentions > 0 ? 2 : isUnread ? 1 : 0);
  return places.toSorted((one, other) => weight(other) - weight(one));
}

/** The places that a text means, the best first: names that begin with it before words that do, and those before the rest. */
export function findPlaces(
  places: readonly SwitcherPlace[],
  typed: string,
): readonly SwitcherPlace[] {
  const words = foldText(typed.replace(/^#/, '')).split(/\s+/).filter(Boolean);
  if (words.length === 0) return places.slice(0, MOST_SHOWN);
  return places
    .map((place) => ({ place, score: scoreOf(place, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_SHOWN)
    .map(({ place }) => place);
}

/** 0 if a word is missing. */
function scoreOf({ name, context = '' }: SwitcherPlace, words: readonly string[]): number {
  const [own, around] = [foldText(name), foldText(context)];
  let score = 0;
  for (const word of words) {
    if (own.startsWith(word)) score += 8;
    else if (startsWord(own, word)) score += 4;
    else if (own.includes(word)) score += 2;
    else if (startsWord(around, word) || around.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

function startsWord(text: string, word: string): boolean {
  return text.split(/[\s_-]+/).some((each) => each.startsWith(word));
}
