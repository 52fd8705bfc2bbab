import { z } from 'zod';
import { LineProcess, linesOf } from '../line-process.ts';
import { mailServer, type ReceivedMail } from './mail-server.ts';

/** A mail as a program for mail shows it. */
export interface ReadMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const readMailSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
});

/** A server for mail that is a process of its own. */
export interface MailProcess extends AsyncDisposable {
  readonly url: string;
  /** The next mail that it takes. */
  next(): Promise<ReadMail>;
}

/** Starts a server for mail in a process of its own, on a free port unless one is given. Disposal kills it. */
export async function mailProcess({ port = 0 } = {}): Promise<MailProcess> {
  const child = new LineProcess(import.meta.path, String(port));
  return {
    url: await child.says(),
    next: async () => readMailSchema.parse(JSON.parse(await child.says())),
    [Symbol.asyncDispose]: () => child.kill(),
  };
}

/** A mail as it was sent, decoded. */
export function readMail({
  to,
  text: raw,
}: {
  readonly to: readonly string[];
  readonly text: string;
}): ReadMail {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(raw) ?? [];
  const [head = '', ...parts] = raw.split(`--${boundary}`);
  const part = (type: string) => decoded(parts.find((each) => each.includes(type)) ?? '');
  const [, subject = ''] = /^Subject: ((?:.|\r\n[ \t])*)/m.exec(head) ?? [];
  return {
    to: to.join(),
    subject: words(subject.replaceAll(/\r\n[ \t]+/g, ' ')),
    text: part('text/plain'),
    html: part('text/html'),
  };
}

function decoded(part: string): string {
  const [head = '', ...body] = part.split('\r\n\r\n');
  const content = body.join('\r\n\r\n').replaceAll('\r\n', '\n');
  if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString();
  return /quoted-printable/i.test(head) ? quoted(content) : content;
}

/** RFC 2047. */
function words(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : quoted(word.replaceAll('_', ' ')),
    );
}

/** RFC 2045, 6.7. */
function quoted(text: string): string {
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

async function run(): Promise<void> {
  const onMail = (mail: ReceivedMail) => {
    process.stdout.write(`${JSON.stringify(readMail(mail))}\n`);
  };
  await using server = await mailServer({ onMail, port: Number(process.argv.at(-1)) });
  process.stdout.write(`${server.url}\n`);
  for await (const _line of linesOf(Bun.stdin.stream()));
}

if (import.meta.main) await run();
