/** Who may register an account: everyone, people with an invite, people whom the staff approves, or nobody. Ours. */
export const REGISTRATION_MODES = ['open', 'invite', 'approval', 'closed'] as const;

/** Who may register an account. */
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** When a device has to work before it registers an account: never, always, or if more people register than usual. Ours. */
export const PROOF_MODES = ['off', 'on', 'automatic'] as const;

/** When a device has to work before it registers an account. */
export type ProofMode = (typeof PROOF_MODES)[number];

/** How long the question to people who register may be, in characters. Ours. */
export const MOST_QUESTION_CHARACTERS = 500;

/** Who may use the lobby: everyone, people with an account, or nobody. Ours. */
export const LOBBY_MODES = ['open', 'accounts', 'off'] as const;

/** Who may use the lobby. */
export type LobbyMode = (typeof LOBBY_MODES)[number];

/** Whether staff need a second factor for their permissions to be in force. Ours. */
export const STAFF_FACTOR_MODES = ['optional', 'required'] as const;

/** What deleting an account does with what its person wrote: it stays without their name, or it goes. Ours. */
export const ERASED_CONTENTS = ['keep', 'erase'] as const;
