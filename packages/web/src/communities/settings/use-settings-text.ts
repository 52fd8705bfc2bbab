import { deCommunitySettings } from '../../text/de/community-settings.ts';
import { enCommunitySettings } from '../../text/en/community-settings.ts';
import { useLanguage } from '../../text/use-text.ts';

/** The texts of a community's settings. */
export type SettingsText = typeof enCommunitySettings;

const TEXTS = { en: enCommunitySettings, de: deCommunitySettings } as const;

/** The texts of a community's settings in the current language. */
export function useSettingsText(): SettingsText {
  return TEXTS[useLanguage()];
}
