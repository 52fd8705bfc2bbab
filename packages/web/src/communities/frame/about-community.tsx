import type { Community } from '@hearth/protocol';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { useFormats } from '../../text/use-text.ts';
import { isKindShown } from '../offered-kinds.ts';
import { useCommunityText } from '../use-community-text.ts';
import { PlaceIcon } from './place-icon.tsx';

/** Shows what a community says of itself. */
export function AboutCommunity({ community }: { readonly community: Community }) {
  const { media } = useAttachments();
  const { frame: words } = useCommunityText();
  const formats = useFormats();
  const { name, icon, banner, description, member_count: count, visibility, kind } = community;
  return (
    <div class="page-body about-community">
      {banner !== undefined && (
        <img class="about-banner" src={media.url(banner, media.sizeFor(800))} alt="" />
      )}
      <PlaceIcon name={name} picture={icon} size={72} />
      <h2 class="page-title">
        <bdi>{name}</bdi>
      </h2>
      <p class="hint">
        {[
          words.visibilities[visibility],
          ...(isKindShown() ? [words.kinds[kind]] : []),
          words.members(count, formats.count(count)),
        ].join(' · ')}
      </p>
      {description !== undefined && (
        <p class="about-text" dir="auto">
          {description}
        </p>
      )}
    </div>
  );
}
