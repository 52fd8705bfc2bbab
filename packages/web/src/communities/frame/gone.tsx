import type { ComponentChildren } from 'preact';
import { webPath, type Community } from '@hearth/protocol';
import { useLayoutEffect } from 'preact/hooks';
import { ownPath } from '../../lib/own-path.ts';
import { HearthDrawing } from '../../ui/hearth-drawing.tsx';
import type { RemovedCommunity } from '../community-source.ts';
import { communityPath } from '../paths.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText, type CommunityText } from '../use-community-text.ts';

/** Why somebody is no longer a member of a community. */
export function farewellOf(
  { name, reason }: RemovedCommunity,
  { gone: words }: CommunityText,
): string {
  return words[reason ?? 'unknown'](name);
}

/**
 * Returns the farewell for the community at a slug, which the reader then knows; undefined if they are no former member.
 */
export function useFarewell(slug: string): string | undefined {
  const { removals } = useCommunities();
  const words = useCommunityText();
  const removed = removals.at(slug);
  useLayoutEffect(() => {
    if (removed !== undefined) removals.see(removed);
  }, [removals, removed]);
  return removed === undefined ? undefined : farewellOf(removed, words);
}

/** In place of a community that the reader does not see any more. */
export function GoneCommunity({ why }: { readonly why: string }) {
  const { gone: words } = useCommunityText();
  return (
    <Gone title={why}>
      <a class="button button-primary" href={ownPath(webPath('home', {}))}>
        {words.toHome}
      </a>
    </Gone>
  );
}

/** In place of a channel that the reader has seen and does not see any more. */
export function GoneChannel({
  community,
}: {
  readonly community: Pick<Community, 'slug' | 'name'>;
}) {
  const { gone: words, frame } = useCommunityText();
  return (
    <Gone title={words.channel}>
      <a class="button button-primary" href={ownPath(communityPath(community.slug))}>
        {frame.toChannels(community.name)}
      </a>
    </Gone>
  );
}

function Gone({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <main class="not-found">
      <HearthDrawing isLit={false} />
      <h1>
        <span role="status">{title}</span>
      </h1>
      {children}
    </main>
  );
}
