import { useEffect } from 'preact/hooks';
import { useFormats, useText } from '../../text/use-text.ts';
import { useConversation } from '../use-conversation.ts';

/** Says that the messages are those of the last visit, if it takes long until the history arrives. */
export function KeptNotice({ isAtEnd }: { readonly isAtEnd: boolean }) {
  const { kept } = useConversation();
  const { conversation: words } = useText();
  const formats = useFormats();
  useEffect(() => {
    kept.isAtEnd.value = isAtEnd;
  }, [kept, isAtEnd]);
  const sinceMs = kept.sinceMs.value;
  if (sinceMs === undefined) return null;
  return (
    <p class="kept-notice" role="status">
      {words.keptSince(formats.moment(sinceMs))}
    </p>
  );
}
