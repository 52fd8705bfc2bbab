import { effect, untracked } from '@preact/signals';
import { webPath, type Id, type WebPlace } from '@hearth/protocol';
import type { Communities } from '../communities/communities.ts';
import type { Router } from './router.ts';

/** Keeps the reader where they are if one of their communities gets another slug. Returns a function that stops it. */
export function followSlug(
  router: Router,
  communities: Pick<Communities, 'own' | 'ownBySlug'>,
): () => void {
  /** Also by former slugs, to which Back may lead. */
  const ids = new Map<string, Id>();
  return effect(() => {
    const own = communities.own.value ?? [];
    for (const { slug, id } of own) ids.set(slug, id);
    const { place } = router.visit.value;
    if (place === undefined || !isOfCommunity(place)) return;
    const slug = place.params.slug.toLowerCase();
    if (communities.ownBySlug(slug) !== undefined) return;
    const present = own.find(({ id }) => id === ids.get(slug));
    if (present === undefined) return;
    const path = pathAt(place, present.slug);
    untracked(() => router.goTo(router.urlOf(path), { isReplacing: true }));
  });
}

type CommunityPlace = Extract<WebPlace, { readonly params: { readonly slug: string } }>;

function isOfCommunity(place: WebPlace): place is CommunityPlace {
  return 'slug' in place.params;
}

/** The path of a place within the community of that slug. */
function pathAt(place: CommunityPlace, slug: string): string {
  switch (place.name) {
    case 'community':
      return webPath('community', { slug });
    case 'communitySettings':
      return webPath('communitySettings', { slug });
    case 'communitySettingsPage':
      return webPath('communitySettingsPage', { ...place.params, slug });
    case 'channel':
      return webPath('channel', { ...place.params, slug });
    case 'channelMessage':
      return webPath('channelMessage', { ...place.params, slug });
    case 'communityPosts':
      return webPath('communityPosts', { slug });
    case 'untitledPost':
      return webPath('untitledPost', { ...place.params, slug });
    case 'post':
      return webPath('post', { ...place.params, slug });
    case 'postComment':
      return webPath('postComment', { ...place.params, slug });
  }
}
