import { InstancePanel } from '../instance/instance-panel.tsx';
import { SettingsDialog } from '../settings/settings-dialog.tsx';
import { SETTINGS_PAGES } from '../settings/settings-pages.ts';
import type { ShownDialog } from './shown-at.ts';

/** A dialog that has an address and needs no account. */
export interface PlaceDialogProps {
  readonly dialog: Extract<ShownDialog, { readonly kind: 'about' | 'settings' }>;
  readonly onClose: () => void;
}

/** The dialog of a place. Loaded on use. */
export function PlaceDialog({ dialog, onClose }: PlaceDialogProps) {
  switch (dialog.kind) {
    case 'about':
      return <InstancePanel onClose={onClose} />;
    case 'settings':
      return (
        <SettingsDialog
          page={SETTINGS_PAGES.find((page) => page === dialog.page)}
          onClose={onClose}
        />
      );
  }
}
