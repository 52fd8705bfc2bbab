import { MAIL_CODE_MS, MAIL_PAGES } from '@hearth/protocol';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { folded } from '../../../lib/skeleton.ts';
import { newTypedCode, typedCodeHash } from '../../../lib/typed-code.ts';
import { MailRefusedError, type Mailer } from '../../../ports/mail/mailer.ts';
import { JobFailedError, type JobKind } from '../../platform/jobs/jobs.ts';
import {
  MAIL_LIMIT_MS,
  MAIL_TEXTS,
  composeMail,
  mailLanguageOf,
} from '../../platform/mail/mail.ts';
import { findAccount, lockAccount, type UsersTable } from '../users/users.ts';
import { MOST_CODES } from './code-limits.ts';
import { deleteMailCode, insertMailCode, selectCodeTimes } from './store.ts';

/** 80 bits. */
const PARTS = 4;

const mailCodeSchema = z.object({
  purpose: z.enum(['verify', 'reset']),
  /** The account, by its id or by its address. */
  account: z.union([z.object({ id: z.string() }), z.object({ email: z.string() })]),
  asked_at_ms: z.number(),
  /** True if the account has just been approved, which the mail then says. */
  is_approved: z.boolean().optional(),
});

/** The purpose of a code, and the account that gets it. */
export type MailCodeJob = z.infer<typeof mailCodeSchema>;

export const MAIL_CODE_JOB: Pick<JobKind<MailCodeJob>, 'name' | 'parse'> = {
  name: 'mail-code',
  parse: (json) => mailCodeSchema.parse(json),
};

/**
 * Makes a code and sends it. Nobody but the recipient ever sees the code: the database keeps its hash, and another attempt
 * makes another one. Nothing happens if there is no such account, so that a request for one takes the same time.
 */
export function mailCodeJob(
  ctx: Pick<Context, 'database' | 'clock' | 'settings'>,
  mailer: Mailer,
): JobKind<MailCodeJob> {
  return {
    ...MAIL_CODE_JOB,
    atOnce: 2,
    limitMs: MAIL_LIMIT_MS,
    mostAttempts: 20,
    async run(job, { id, number, signal }) {
      const {
        purpose,
        account: key,
        asked_at_ms: askedAtMs,
        is_approved: isApproved = false,
      } = job;
      if (ctx.clock.unixMs() - askedAtMs > MAIL_CODE_MS) {
        throw new JobFailedError('the mail server did not take it within an hour');
      }
      const account = await findAccount(ctx, key);
      const to = addressOf(account, purpose);
      if (account === undefined || to === '') return;
      const code = await addCode(ctx, { account, purpose, to });
      if (code === undefined) return;
      try {
        const mail = composed(ctx, { account, purpose, to, code, isApproved });
        await mailer.send(mail, { id: `${id}.${number}`, signal });
      } catch (cause) {
        await ctx.database.transaction(({ sql }) => deleteMailCode(sql, typedCodeHash(code)));
        if (!(cause instanceof MailRefusedError)) throw cause;
        throw new JobFailedError(cause.message, { cause });
      }
    },
  };
}

/** Returns where the code goes; empty if there is nothing to send. */
function addressOf(account: UsersTable | undefined, purpose: MailCodeJob['purpose']): string {
  if (account?.state !== 'active') return '';
  if (purpose === 'reset') return account.email;
  if (account.pending_email !== '') return account.pending_email;
  return account.email_verified_at_ms > 0 ? '' : account.email;
}

interface Recipient {
  readonly account: UsersTable;
  readonly purpose: MailCodeJob['purpose'];
  readonly to: string;
}

/** A new code; undefined if there are too many. */
async function addCode(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  { account, purpose, to }: Recipient,
): Promise<string | undefined> {
  const code = newTypedCode(PARTS);
  const nowMs = clock.unixMs();
  const row = {
    code_hash: typedCodeHash(code),
    user_id: account.id,
    purpose,
    email_key: folded(to),
    created_at_ms: nowMs,
  };
  return await database.transaction(async (tx) => {
    // Otherwise jobs at the same time could each find room for one more.
    await lockAccount(tx, account.id);
    const times = await selectCodeTimes(tx.sql, row, nowMs);
    if (times.length >= MOST_CODES) return undefined;
    await insertMailCode(tx.sql, row);
    return code;
  });
}

function composed(
  { settings }: Pick<Context, 'settings'>,
  {
    account,
    purpose,
    to,
    code,
    isApproved,
  }: Recipient & { readonly code: string; readonly isApproved: boolean },
) {
  const texts = MAIL_TEXTS[mailLanguageOf(account.settings)];
  const { instanceName, publicUrl } = settings;
  const facts = { username: account.username, instanceName, isApproved };
  const link =
    publicUrl === undefined
      ? undefined
      : `${publicUrl.replace(/\/$/, '')}${MAIL_PAGES[purpose]}#${code}`;
  const words = texts[purpose](facts);
  const entry = { code, enterCode: words.enterCode, link };
  return composeMail({ to, hello: texts.hello(facts), words, texts, entry });
}
