import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PlaceDialogProps } from './place-dialog.tsx';
import type { ShownDialog } from './shown-at.ts';
import { useRouter } from './use-router.ts';

/** The dialog that the address names. Its view is loaded with the first one. */
export function PlaceDialogOnDemand({ dialog }: { readonly dialog: ShownDialog }) {
  const router = useRouter();
  const [View, setView] = useState<ComponentType<PlaceDialogProps> | undefined>(undefined);
  const visit = router.visit.value;
  useEffect(() => {
    void import('../later.ts').then(
      ({ PlaceDialog }) => setView(() => PlaceDialog),
      () => router.leave(visit),
    );
  }, [router, visit]);
  return View === undefined ? null : <View dialog={dialog} onClose={() => router.leave(visit)} />;
}
