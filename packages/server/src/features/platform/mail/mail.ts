export { addNotice, addNoticeToAnyAddress, type Notice } from './add-notice.ts';
export { composeMail } from './compose-mail.ts';
export { MAIL_LIMIT_MS } from './mail-job.ts';
export { mailLanguageOf, MAIL_TEXTS } from './mail-texts.ts';
