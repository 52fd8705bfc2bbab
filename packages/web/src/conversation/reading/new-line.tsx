import { useEffect, useRef } from 'preact/hooks';
import { useText } from '../../text/use-text.ts';
import { useConversation } from '../use-conversation.ts';

/** The line before the first new message. Who sees it needs no hint about it any more. */
export function NewLine() {
  const { readMark } = useConversation();
  const { reading: words } = useText();
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) readMark.dismiss();
    });
    if (line.current !== null) observer.observe(line.current);
    return () => observer.disconnect();
  }, [readMark]);
  return (
    <p ref={line} class="new-line">
      <span>{words.newLine}</span>
    </p>
  );
}
