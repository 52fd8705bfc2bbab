import { useAccounts } from '../account/use-accounts.ts';
import type { PlaceDialogProps } from './place-dialog.tsx';
import type { ShownDialog } from './shown-at.ts';
import { useRouter } from './use-router.ts';
import { useViews } from '../lib/views.ts';

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
  const views = useViews('communities');
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
  const visit = router.visit.value;
  const View = useViews('later')?.PlaceDialog;
  return View === undefined ? null : <View dialog={dialog} onClose={() => router.leave(visit)} />;
}

type SettingsPageName = Extract<ShownDialog, { readonly kind: 'settings' }>['page'];

function MemberSettings({ page }: { readonly page: SettingsPageName }) {
  const router = useRouter();
  const visit = router.visit.value;
  const View = useViews('account')?.AccountSettings;
  return View === undefined ? null : <View page={page} onClose={() => router.leave(visit)} />;
}

function UserDialog({ username }: { readonly username: string }) {
  const router = useRouter();
  const visit = router.visit.value;
  const View = useViews('account')?.ProfileDialog;
  return View === undefined ? null : (
    <View username={username} onClose={() => router.leave(visit)} />
  );
}
