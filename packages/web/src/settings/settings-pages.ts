/** The parts of the settings that have an address. */
export const SETTINGS_PAGES = [
  'name',
  'appearance',
  'colours',
  'language',
  'motion',
  'notifications',
] as const;

/** Pages that only people with an account have. */
export const ACCOUNT_SETTINGS = ['profile', 'account', 'sessions'] as const;

/** A part of the settings that has an address. */
export type SettingsPage = (typeof SETTINGS_PAGES)[number];

/** A part that only people with an account have. */
export type AccountSettingsPage = (typeof ACCOUNT_SETTINGS)[number];

/** The pages of a community's settings, in their order. */
export const COMMUNITY_PAGES = [
  'overview',
  'channels',
  'roles',
  'members',
  'invites',
  'requests',
  'bans',
  'audit',
  'leave',
] as const;

/** A page of a community's settings. */
export type CommunityPage = (typeof COMMUNITY_PAGES)[number];
