import { useEffect, useRef } from 'preact/hooks';
import { BackIcon } from '../../ui/icons.tsx';

interface HeadProps {
  /** The name of the way back. */
  readonly back: string;
  readonly title: string;
  /** True if something else gets the focus. */
  readonly isFocusElsewhere?: boolean;
  readonly onBack: () => void;
}

/** Above what was opened from a list: the way back, and what it is. It has the focus, so that screen readers say it. */
export function OpenedHead({ back, title, isFocusElsewhere = false, onBack }: HeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFocusElsewhere) heading.current?.focus();
  }, [isFocusElsewhere]);
  return (
    <div class="opened-head">
      <button type="button" class="button button-plain settings-up" onClick={onBack}>
        <BackIcon />
        {back}
      </button>
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
    </div>
  );
}
