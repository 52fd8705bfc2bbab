import type { Language } from '../text/texts.ts';
import { useLanguageSignal, useText } from '../text/use-text.ts';
import { Choice } from '../ui/choice.tsx';
import type { AccountSettingsPage, SettingsPage } from './settings-pages.ts';
import { SETTING_VALUES } from './settings.ts';
import { useSettings } from './use-settings.ts';

interface AppearanceProps {
  /** The part that gets the focus. */
  readonly page: SettingsPage | AccountSettingsPage | undefined;
  /** Called with the language of the page, when the reader has chosen one. */
  readonly onLanguage?: (language: Language) => void;
}

/** Settings of how the page looks, which apply at once. */
export function AppearanceSettings({ page, onLanguage }: AppearanceProps) {
  const settings = useSettings();
  const shown = useLanguageSignal();
  const { settings: words } = useText().shell;
  return (
    <>
      <Choice
        isFirst={page === 'colours' || page === 'appearance'}
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
          onLanguage?.(shown.peek());
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
    </>
  );
}
