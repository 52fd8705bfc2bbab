import type { Id } from '@hearth/protocol';
import { nameColour, shownName } from '../../conversation/author.ts';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';

interface IconProps {
  /** Determines the colour and the letters without a picture. */
  readonly name: string;
  readonly picture: Id | undefined;
  /** Its size, in CSS pixels. */
  readonly size: 32 | 48 | 72;
}

/** The picture of a community, or the first letters of its name. Decorative: the name stands beside it. */
export function PlaceIcon({ name, picture, size }: IconProps) {
  const { media } = useAttachments();
  if (picture === undefined) {
    return (
      <span
        class={`place-icon place-icon-drawn ${nameColour(name)}`}
        data-size={size}
        data-initial={lettersOf(name)}
        aria-hidden="true"
      />
    );
  }
  return (
    <img
      class="place-icon"
      data-size={size}
      src={media.url(picture, media.sizeFor(size))}
      width={size}
      height={size}
      alt=""
      draggable={false}
    />
  );
}

/** The first letters of the first two words of a name. */
export function lettersOf(name: string): string {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return shownName(name)
    .split(/[\s_-]+/)
    .flatMap((word) => {
      const [first] = segments.segment(word);
      return first === undefined || first.segment.length > 16 ? [] : [first.segment];
    })
    .slice(0, 2)
    .join('')
    .toUpperCase();
}
