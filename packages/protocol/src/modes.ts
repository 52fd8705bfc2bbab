/** Modes of registration: open to everyone, people with an invite, people whom the staff approves, or nobody. Ours. */
export const REGISTRATION_MODES = ['open', 'invite', 'approval', 'closed'] as const;

export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** When a device has to work before it registers an account: never, always, or if more people register than usual. Ours. */
export const PROOF_MODES = ['off', 'on', 'automatic'] as const;

/** When a device has to work before it registers an account. */
export type ProofMode = (typeof PROOF_MODES)[number];

/** The number of characters that the question to people who register may have. Ours. */
export const MOST_QUESTION_CHARACTERS = 500;

/** Modes of the lobby: for everyone, people with an account, or nobody. Ours. */
export const LOBBY_MODES = ['open', 'accounts', 'off'] as const;

export type LobbyMode = (typeof LOBBY_MODES)[number];

/** Modes of second factors of the staff: whether their permissions are in force without one. Ours. */
export const STAFF_FACTOR_MODES = ['optional', 'required'] as const;

/** The treatment of what a person wrote when the account is deleted: it stays without their name, or it goes. Ours. */
export const ERASED_CONTENTS = ['keep', 'erase'] as const;
