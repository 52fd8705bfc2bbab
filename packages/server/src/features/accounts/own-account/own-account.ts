export { endAccount, type EndingContext, type HasEndRequirements } from './end-account.ts';
export type { HasOwnProfileParts, OwnProfilePart } from './find-me.ts';
export type { HasPublicFiles } from './profile-pictures.ts';
export type { HasRenamers } from './update-me.ts';
