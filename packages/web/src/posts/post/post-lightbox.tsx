import { useCallback, useEffect } from 'preact/hooks';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { useViews } from '../../lib/views.ts';

/** The large picture of a post, with the others beside it. */
export function PostLightbox({ ids }: { readonly ids: readonly string[] }) {
  const attachments = useAttachments();
  const open = attachments.enlarged.value;
  const isOpen = open !== undefined && ids.includes(open);
  const Dialog = useViews('later', isOpen)?.PictureDialog;
  const close = useCallback(() => {
    attachments.enlarged.value = undefined;
  }, [attachments]);
  useEffect(() => close, [close]);
  const go = useCallback(
    (step: 1 | -1) => {
      const at = ids.indexOf(attachments.enlarged.peek() ?? '');
      const next = ids[at + step];
      if (next !== undefined) attachments.enlarged.value = next;
    },
    [attachments, ids],
  );
  const data = open === undefined || !isOpen ? undefined : attachments.data(open).value;
  if (Dialog === undefined || data?.state !== 'ready') return null;
  return <Dialog data={data.data} onClose={close} onGo={go} />;
}
