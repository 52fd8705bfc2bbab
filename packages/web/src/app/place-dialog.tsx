import { InstancePanel } from '../instance/instance-panel.tsx';
import { SettingsDialog } from '../settings/settings-dialog.tsx';
import type { ShownDialog } from './shown-at.ts';

/** A dialog that has an address. */
export interface PlaceDialogProps {
  readonly dialog: ShownDialog;
  readonly onClose: () => void;
}

/** The dialog of a place. Loaded on use. */
export function PlaceDialog({ dialog, onClose }: PlaceDialogProps) {
  switch (dialog.kind) {
    case 'about':
      return <InstancePanel onClose={onClose} />;
    case 'settings':
      return <SettingsDialog page={dialog.page} onClose={onClose} />;
  }
}
