import type { Id } from '@hearth/protocol';
import { initialOf, nameColour } from '../conversation/author.ts';
import { useAttachments } from '../conversation/attachments/use-attachments.ts';

interface AvatarProps {
  /** The username, which determines the colour without a picture. */
  readonly name: string;
  readonly picture: Id | undefined;
  /** Its size, in CSS pixels. */
  readonly size?: number;
}

/** A person's picture, or the first letter of their name. Decorative: the name stands beside it. */
export function Avatar({ name, picture, size = 36 }: AvatarProps) {
  const { media } = useAttachments();
  if (picture === undefined) {
    // Drawn by the style: the letter is no text of what the picture stands in.
    const initial = initialOf(name);
    return (
      <span
        class={`avatar avatar-drawn ${nameColour(name)}`}
        data-size={size}
        data-initial={initial}
        aria-hidden="true"
      />
    );
  }
  return (
    <img
      class="avatar"
      data-size={size}
      src={media.url(picture, media.sizeFor(size))}
      width={size}
      height={size}
      alt=""
      draggable={false}
    />
  );
}
