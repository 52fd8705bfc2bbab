import { SETTING_VALUES } from './settings.ts';
import { useText } from '../text/use-text.ts';
import { Choice } from '../ui/choice.tsx';
import { Dialog } from '../ui/dialog.tsx';
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
      <Choice
        isFirst={page === 'colours'}
        label={words.theme}
        values={SETTING_VALUES.theme}
        names={words.themes}
        value={settings.theme.value}
        onChange={(theme) => {
          settings.theme.value = theme;
        }}
      />
      <Choice
        isFirst={page === 'language'}
        label={words.language}
        values={SETTING_VALUES.language}
        names={words.languages}
        value={settings.language.value}
        onChange={(language) => {
          settings.language.value = language;
        }}
      />
      <Choice
        isFirst={page === 'motion'}
        label={words.motion}
        values={SETTING_VALUES.motion}
        names={words.motions}
        value={settings.motion.value}
        onChange={(motion) => {
          settings.motion.value = motion;
        }}
      />
      <Choice
        label={words.density}
        values={SETTING_VALUES.density}
        names={words.densities}
        value={settings.density.value}
        onChange={(density) => {
          settings.density.value = density;
        }}
      />
      <NotificationSettings isFirst={page === 'notifications'} />
    </Dialog>
  );
}
