/** The parts of the settings that have an address. */
export const SETTINGS_PAGES = [
  'name',
  'appearance',
  'colours',
  'language',
  'motion',
  'notifications',
] as const;

/** Those that only people with an account have. */
export const ACCOUNT_SETTINGS = ['profile', 'account', 'sessions'] as const;

/** A part of the settings that has an address. */
export type SettingsPage = (typeof SETTINGS_PAGES)[number];

/** A part that only people with an account have. */
export type AccountSettingsPage = (typeof ACCOUNT_SETTINGS)[number];
