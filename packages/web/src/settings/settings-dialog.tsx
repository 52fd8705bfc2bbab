import { SETTING_VALUES } from './settings.ts';
import { useText } from '../text/use-text.ts';
import { Choice } from '../ui/choice.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { NameForm } from './name-form.tsx';
import { NotificationsSwitch } from './notifications-switch.tsx';
import { useSettings } from './use-settings.ts';

/** The reader's settings, which apply at once. */
export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const settings = useSettings();
  const { settings: words } = useText().shell;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <NameForm
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
        label={words.theme}
        values={SETTING_VALUES.theme}
        names={words.themes}
        value={settings.theme.value}
        onChange={(theme) => {
          settings.theme.value = theme;
        }}
      />
      <Choice
        label={words.language}
        values={SETTING_VALUES.language}
        names={words.languages}
        value={settings.language.value}
        onChange={(language) => {
          settings.language.value = language;
        }}
      />
      <Choice
        label={words.motion}
        values={SETTING_VALUES.motion}
        names={words.motions}
        value={settings.motion.value}
        onChange={(motion) => {
          settings.motion.value = motion;
        }}
      />
      <NotificationsSwitch />
    </Dialog>
  );
}
