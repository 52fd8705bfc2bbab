import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { addJob } from '../jobs/jobs.ts';
import { composeMail } from './compose-mail.ts';
import { MAIL_JOB } from './mail-job.ts';
import { mailLanguageOf, MAIL_TEXTS, type MailLanguage } from './mail-texts.ts';

export type Notice =
  | { readonly kind: 'passwordChanged' | 'passwordReset' | 'factorAdded' | 'factorRemoved' }
  | { readonly kind: 'emailChanging' | 'emailChanged'; readonly email: string }
  | { readonly kind: 'signIn'; readonly network: string };

/** The person who is notified. */
export interface Notified {
  readonly username: string;
  readonly email: string;
  /** 0 if the address is not verified. */
  readonly email_verified_at_ms: number;
  readonly settings: string;
}

type NoticeContext = Pick<Context, 'mailer' | 'settings' | 'clock'>;

/**
 * Lets a person know by mail what happened to their account, once the transaction is committed. Nothing is sent without a
 * server for mail, and to an address that is not verified: it may be a stranger's.
 */
export async function addNotice(
  tx: Transaction,
  ctx: NoticeContext,
  given: { readonly person: Notified; readonly notice: Notice },
): Promise<void> {
  if (given.person.email_verified_at_ms > 0) await addNoticeToAnyAddress(tx, ctx, given);
}

/** As `addNotice`, but the address need not be verified. The caller bounds how many mails a stranger gets. */
export async function addNoticeToAnyAddress(
  tx: Transaction,
  { mailer, settings, clock }: NoticeContext,
  {
    person,
    notice,
  }: { readonly person: Omit<Notified, 'email_verified_at_ms'>; readonly notice: Notice },
): Promise<void> {
  if (mailer === undefined || person.email === '') return;
  const language = mailLanguageOf(person.settings);
  const texts = MAIL_TEXTS[language];
  const facts = { username: person.username, instanceName: settings.instanceName };
  const nowMs = clock.unixMs();
  const words =
    notice.kind === 'signIn'
      ? texts.signIn({ ...facts, network: notice.network, time: written(nowMs, language) })
      : 'email' in notice
        ? texts[notice.kind]({ ...facts, email: notice.email })
        : texts[notice.kind](facts);
  const payload = composeMail({ to: person.email, hello: texts.hello(facts), words, texts });
  await addJob(tx, MAIL_JOB, { payload, nowMs });
}

function written(timeMs: number, language: MailLanguage): string {
  const style = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(language, style).format(timeMs)} UTC`;
}
