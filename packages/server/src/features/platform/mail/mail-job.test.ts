import { expect, test } from 'bun:test';
import { MailRefusedError, type Mail, type Mailer } from '../../../ports/mail/mailer.ts';
import { JobFailedError } from '../jobs/job-kind.ts';
import { mailJob } from './mail-job.ts';

const MAIL: Mail = { to: 'ada@example.org', subject: 'Hi', text: 'Hello', html: '<p>Hello</p>' };
const attempt = () => ({ id: 'a job', number: 1, signal: new AbortController().signal });

test('[ML2] a mail is sent under the id of its job, so that a repetition can be recognised', async () => {
  const sent: unknown[] = [];
  const mailer: Mailer = { send: async (mail, { id }) => void sent.push([id, mail]) };
  const job = mailJob(mailer);
  await job.run(job.parse(JSON.parse(JSON.stringify(MAIL))), attempt());
  expect(sent).toEqual([['a job', MAIL]]);
});

test('[ML2] a mail that is refused permanently has failed, and any other failure is tried again', async () => {
  const failing = (error: Error) =>
    mailJob({ send: () => Promise.reject(error) }).run(MAIL, attempt());
  await expect(failing(new MailRefusedError('no such user'))).rejects.toBeInstanceOf(
    JobFailedError,
  );
  const other = await failing(new Error('come later')).catch((error: unknown) => error);
  expect(other).not.toBeInstanceOf(JobFailedError);
});
