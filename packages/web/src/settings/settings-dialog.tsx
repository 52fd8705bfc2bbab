import { useText } from '../text/use-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { AppearanceSettings } from './appearance-settings.tsx';
import { NameForm } from './name-form.tsx';
import { NotificationSettings } from './notification-settings.tsx';
import type { SettingsPage } from './settings-pages.ts';
import { useSettings } from './use-settings.ts';

interface SettingsDialogProps {
  /** The part that gets the focus. */
  readonly page: SettingsPage | undefined;
  readonly onClose: () => void;
}

/** The reader's settings, which apply at once. */
export function SettingsDialog({ page, onClose }: SettingsDialogProps) {
  const settings = useSettings();
  const { settings: words } = useText().shell;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <NameForm
        isFirst={page === 'name'}
        label={words.name}
        hint={words.nameHint}
        accept={words.saveName}
        accepted={words.nameSaved}
        initial={settings.name.peek()}
        onName={(name) => {
          settings.name.value = name;
        }}
      />
      <AppearanceSettings page={page} />
      <NotificationSettings isFirst={page === 'notifications'} />
    </Dialog>
  );
}
