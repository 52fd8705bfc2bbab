import { useCallback, useEffect, useState } from 'preact/hooks';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { loadPart } from '../../lib/load-part.ts';

type View = typeof import('../../later.ts').PictureDialog;

/** The large picture of a post, with the others beside it. */
export function PostLightbox({ ids }: { readonly ids: readonly string[] }) {
  const attachments = useAttachments();
  const [Dialog, setDialog] = useState<View | undefined>(undefined);
  const open = attachments.enlarged.value;
  const isOpen = open !== undefined && ids.includes(open);
  useEffect(() => {
    if (!isOpen || Dialog !== undefined) return;
    void loadPart('later.ts', () => import('../../later.ts')).then(({ PictureDialog }) =>
      setDialog(() => PictureDialog),
    );
  }, [attachments, isOpen, Dialog]);
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
