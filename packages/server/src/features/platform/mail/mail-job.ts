import { z } from 'zod';
import { MailRefusedError, type Mail, type Mailer } from '../../../ports/mail/mailer.ts';
import { JobFailedError, type JobKind } from '../jobs/jobs.ts';

const mailSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
});

export const MAIL_JOB: Pick<JobKind<Mail>, 'name' | 'parse'> = {
  name: 'mail',
  parse: (json) => mailSchema.parse(json),
};

/** The time that a mail server may take for one mail, in milliseconds, however slowly it answers each command. */
export const MAIL_LIMIT_MS = 120_000;

/** Sends a mail. Tried for about two days, because mail servers ask to come again. */
export function mailJob(mailer: Mailer): JobKind<Mail> {
  return {
    ...MAIL_JOB,
    atOnce: 2,
    limitMs: MAIL_LIMIT_MS,
    mostAttempts: 55,
    async run(mail, { id, signal }) {
      try {
        await mailer.send(mail, { id, signal });
      } catch (cause) {
        if (!(cause instanceof MailRefusedError)) throw cause;
        throw new JobFailedError(cause.message, { cause });
      }
    },
  };
}
