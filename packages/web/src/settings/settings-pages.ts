/** The parts of the settings that have an address. */
export const SETTINGS_PAGES = ['name', 'colours', 'language', 'motion', 'notifications'] as const;

/** A part of the settings that has an address. */
export type SettingsPage = (typeof SETTINGS_PAGES)[number];
