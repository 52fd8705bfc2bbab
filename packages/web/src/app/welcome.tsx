import { webPath } from '@hearth/protocol';
import { ownPath } from '../lib/own-path.ts';
import { useInstance } from '../instance/use-instance.ts';
import { useSettings } from '../settings/use-settings.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { FlameMark } from '../ui/flame-mark.tsx';
import { NameForm } from '../settings/name-form.tsx';

/** The first view: what this is, and the one question. */
export function Welcome() {
  const { info, features, registration } = useInstance();
  const settings = useSettings();
  const { welcome, header, places } = useText().shell;
  const formats = useFormats();
  return (
    <main class="welcome">
      <div class="welcome-card">
        <FlameMark size="large" />
        <h1 class="welcome-name">
          <bdi>{info.instance_name}</bdi>
        </h1>
        {info.description !== null && (
          <p class="welcome-description" dir="auto">
            {info.description}
          </p>
        )}
        <p class="welcome-tagline">{welcome.tagline}</p>
        <NameForm
          label={welcome.nameLabel}
          hint={welcome.nameHint}
          accept={welcome.enter}
          initial={settings.name.peek()}
          isFirst
          onName={(name) => {
            settings.name.value = name;
          }}
        />
        {features.value.includes('accounts') && (
          <p class="welcome-account">
            {welcome.haveAccount} <a href={ownPath(webPath('signIn', {}))}>{header.signIn}</a>
            {registration.value !== 'closed' && (
              <>
                {' '}
                <a href={ownPath(webPath('register', {}))}>{places.register}</a>
              </>
            )}
          </p>
        )}
        <p class="welcome-facts">
          {welcome.facts(
            formats.count(info.message_limit),
            formats.size(info.attachment_file_size),
          )}
        </p>
      </div>
    </main>
  );
}
