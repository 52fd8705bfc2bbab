import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAccounts } from '../account/use-accounts.ts';
import { useAccountView } from '../account/use-account-view.ts';
import { useCommunityViews } from '../communities/use-community-views.ts';
import type { PlaceDialogProps } from './place-dialog.tsx';
import type { ShownDialog } from './shown-at.ts';
import { useRouter } from './use-router.ts';
import { loadPart } from '../lib/load-part.ts';

interface DialogProps {
  readonly dialog: ShownDialog;
}

/** The dialog that the address names. Its view is loaded with the first one. */
export function PlaceDialogOnDemand({ dialog }: DialogProps) {
  const isMember = useAccounts().current.value !== undefined;
  if (dialog.kind === 'user') return <UserDialog username={dialog.username} />;
  if (dialog.kind === 'newCommunity' || dialog.kind === 'community') {
    return <CommunityDialog dialog={dialog} />;
  }
  if (dialog.kind === 'settings' && isMember) return <MemberSettings page={dialog.page} />;
  return <PlainDialog dialog={dialog} />;
}

interface CommunityDialogProps {
  readonly dialog: Extract<ShownDialog, { readonly kind: 'newCommunity' | 'community' }>;
}

function CommunityDialog({ dialog }: CommunityDialogProps) {
  const router = useRouter();
  const visit = router.visit.value;
  const views = useCommunityViews(true);
  if (views === undefined) return null;
  const close = () => router.leave(visit);
  return dialog.kind === 'newCommunity' ? (
    <views.CreateDialog onClose={close} />
  ) : (
    <views.CommunitySettings slug={dialog.slug} page={dialog.page} onClose={close} />
  );
}

function PlainDialog({ dialog }: Pick<PlaceDialogProps, 'dialog'>) {
  const router = useRouter();
  const [View, setView] = useState<ComponentType<PlaceDialogProps> | undefined>(undefined);
  const visit = router.visit.value;
  useEffect(() => {
    void loadPart('later.ts', () => import('../later.ts')).then(({ PlaceDialog }) =>
      setView(() => PlaceDialog),
    );
  }, [router, visit]);
  return View === undefined ? null : <View dialog={dialog} onClose={() => router.leave(visit)} />;
}

type SettingsPageName = Extract<ShownDialog, { readonly kind: 'settings' }>['page'];

function MemberSettings({ page }: { readonly page: SettingsPageName }) {
  const router = useRouter();
  const visit = router.visit.value;
  const View = useAccountView('AccountSettings', true);
  return View === undefined ? null : <View page={page} onClose={() => router.leave(visit)} />;
}

function UserDialog({ username }: { readonly username: string }) {
  const router = useRouter();
  const visit = router.visit.value;
  const View = useAccountView('ProfileDialog', true);
  return View === undefined ? null : (
    <View username={username} onClose={() => router.leave(visit)} />
  );
}
