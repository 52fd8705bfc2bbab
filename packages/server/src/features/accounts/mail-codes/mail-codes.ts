export { addEmailCode } from './add-email-code.ts';
export { changeEmail, requireFreeEmail } from './change-email.ts';
export { voidMailCodes } from './store.ts';
