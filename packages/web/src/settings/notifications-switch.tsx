import { useId, useState } from 'preact/hooks';
import { useText } from '../text/use-text.ts';
import { askForNotifications, notificationPermission } from './notification-permission.ts';
import { useSettings } from './use-settings.ts';

/** Switches notifications on, after asking the browser for permission, and off. */
export function NotificationsSwitch({ isFirst }: { readonly isFirst: boolean }) {
  const settings = useSettings();
  const { settings: words } = useText().shell;
  const id = useId();
  const [permission, setPermission] = useState(notificationPermission);
  const isOn = settings.notifications.value && permission === 'granted';
  const change = async (isWanted: boolean) => {
    const answer = isWanted ? await askForNotifications() : permission;
    setPermission(answer);
    settings.notifications.value = isWanted && answer === 'granted';
  };
  return (
    <div class="switch-row">
      <div>
        <label for={id}>{words.notifications}</label>
        <p id={`${id}-hint`} class="hint">
          {permission === 'unavailable' ? words.notificationsUnavailable : words.notificationsHint}
        </p>
        <p class="problem" role="status">
          {permission === 'denied' && words.notificationsDenied}
        </p>
      </div>
      <input
        id={id}
        class="switch"
        type="checkbox"
        checked={isOn}
        autofocus={isFirst}
        disabled={permission === 'unavailable'}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          const { checked } = event.currentTarget;
          // The browser may ask first; until then, the switch shows the current state.
          event.currentTarget.checked = isOn;
          void change(checked);
        }}
      />
    </div>
  );
}
