/** Who may register an account: everyone, people with an invite, people whom the staff approves, or nobody. Ours. */
export const REGISTRATION_MODES = ['open', 'invite', 'approval', 'closed'] as const;

/** Who may register an account. */
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** Who may use the lobby: everyone, people with an account, or nobody. Ours. */
export const LOBBY_MODES = ['open', 'accounts', 'off'] as const;

/** Who may use the lobby. */
export type LobbyMode = (typeof LOBBY_MODES)[number];

/** Whether staff need a second factor for their permissions to be in force. Ours. */
export const STAFF_FACTOR_MODES = ['optional', 'required'] as const;
