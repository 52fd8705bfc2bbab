export { addEmailCode } from './request-codes.ts';
export { changeEmail, requireFreeEmail } from './change-email.ts';
export { voidMailCodes } from './store.ts';
