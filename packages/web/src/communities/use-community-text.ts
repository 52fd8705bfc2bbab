import { deCommunities } from '../text/de/communities.ts';
import { enCommunities } from '../text/en/communities.ts';
import { useLanguage } from '../text/use-text.ts';

/** The texts around communities. */
export type CommunityText = typeof enCommunities;

const TEXTS = { en: enCommunities, de: deCommunities } as const;

/** The texts around communities in the current language. They come with the views, in all languages. */
export function useCommunityText(): CommunityText {
  return TEXTS[useLanguage()];
}
