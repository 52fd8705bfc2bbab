import { useText } from '../text/use-text.ts';
import { Switch } from '../ui/switch.tsx';
import { NotificationsSwitch } from './notifications-switch.tsx';
import { useSettings } from './use-settings.ts';

/** Which new messages are announced, and how. */
export function NotificationSettings({ isFirst }: { readonly isFirst: boolean }) {
  const settings = useSettings();
  const { settings: words } = useText().shell;
  return (
    <>
      <NotificationsSwitch isFirst={isFirst} />
      <Switch
        label={words.mentionsOnly}
        hint={words.mentionsOnlyHint}
        isOn={settings.mentionsOnly.value}
        onChange={(isOn) => {
          settings.mentionsOnly.value = isOn;
        }}
      />
      <Switch
        label={words.sound}
        hint={words.soundHint}
        isOn={settings.sound.value}
        onChange={(isOn) => {
          settings.sound.value = isOn;
        }}
      />
    </>
  );
}
