import { isIP } from 'node:net';
import type { SendMailOptions } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import { abortable } from '../../lib/outbound/abortable.ts';
import { NameResolver, type Resolve } from '../../lib/name-resolver.ts';
import { resolveName } from '../../runtime/resolve-name.ts';
import { MailRefusedError, type Mailer } from './mailer.ts';

/** The time in milliseconds that the server may take to accept a connection, to greet, and to answer a command. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;

export interface SmtpOptions {
  /** Such as `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
  readonly url: string;
  /** The sender's address, with a name or without. */
  readonly from: string;
  /** For tests. */
  readonly lookUp?: Resolve;
}

/**
 * Sends mail through an SMTP server. TLS is used if the server offers it, and always if there is a password: a server with a
 * password that offers no TLS is not trusted with it, unless it is this machine.
 */
export function smtpMailer({ url, from, lookUp = resolveName }: SmtpOptions): Mailer {
  const server = serverOf(new URL(url));
  const names = new NameResolver({ lookUp });
  return {
    async send(mail, { id, signal }) {
      // An object is never parsed, so that no address can become several.
      const to = { name: '', address: mail.to };
      const { subject, text, html } = mail;
      const messageId = `<${id}@${hostOf(from)}>`;
      const headers = { 'Auto-Submitted': 'auto-generated' };
      try {
        const { host } = server;
        const addresses = isIP(host) === 0 ? await abortable(names.resolve(host), signal) : [host];
        const message = { from, to, subject, text, html, messageId, headers, signal };
        await sendTo(addresses, server, message);
      } catch (cause) {
        signal.throwIfAborted();
        throw isLasting(cause) ? new MailRefusedError(reasonOf(cause), { cause }) : cause;
      }
    },
  };
}

/** Sends a mail to the first of these addresses that accepts a connection. */
async function sendTo(
  addresses: readonly string[],
  { host, ...options }: Server,
  message: SendMailOptions,
): Promise<void> {
  const { createTransport } = await import('nodemailer');
  let failure: unknown = new Error('the name of the mail server has no address');
  for (const address of addresses) {
    const tls = isIP(host) === 0 ? { servername: host } : {};
    const transport = createTransport({ ...options, host: address, tls });
    try {
      return void (await transport.sendMail(message));
    } catch (error) {
      failure = error;
      if (!hasNoConnection(error)) break;
    } finally {
      transport.close();
    }
  }
  throw failure;
}

type Server = SMTPTransport.Options & { readonly host: string };

function serverOf(url: URL): Server {
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const pass = decodeURIComponent(url.password);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isHere = ['localhost', '127.0.0.1', '::1'].includes(host);
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && user !== '' && !isHere,
    ...(user !== '' && { auth: { user, pass } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function hasNoConnection(error: unknown): boolean {
  return error instanceof Error && (error as { command?: unknown }).command === 'CONN';
}

/** RFC 5321: codes from 500 on are permanent. A wrong password of ours is not the recipient's fault, and can be mended. */
function isLasting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return isOfMail && typeof responseCode === 'number' && responseCode >= 500;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function hostOf(from: string): string {
  return /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
