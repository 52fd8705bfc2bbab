import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import { MailRefusedError, type Mailer } from './mailer.ts';

/** How long the server may take to accept a connection, to greet, and to answer a command, in milliseconds. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;

/** What sending needs. */
export interface SmtpOptions {
  /** Such as `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
  readonly url: string;
  /** The sender's address, with a name or without. */
  readonly from: string;
}

/**
 * Sends mail through an SMTP server. TLS is used if the server offers it, and always if there is a password: a server with a
 * password that offers no TLS is not trusted with it, unless it is this machine.
 */
export function smtpMailer({ url, from }: SmtpOptions): Mailer {
  const options = transportOptions(new URL(url));
  return {
    async send(mail, { id, signal }) {
      const { createTransport } = await import('nodemailer');
      signal.throwIfAborted();
      const transport = createTransport(options);
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      // The connection cannot be cut, but nobody has to wait for it.
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort);
      try {
        // An object is never parsed, so that no address can become several.
        const to = { name: '', address: mail.to };
        const { subject, text, html } = mail;
        const messageId = `<${id}@${hostOf(from)}>`;
        const headers = { 'Auto-Submitted': 'auto-generated' };
        const sent = transport.sendMail({ from, to, subject, text, html, messageId, headers });
        await Promise.race([sent, aborted]);
      } catch (cause) {
        signal.throwIfAborted();
        throw isLasting(cause) ? new MailRefusedError(reasonOf(cause), { cause }) : cause;
      } finally {
        signal.removeEventListener('abort', abort);
        transport.close();
      }
    },
  };
}

function transportOptions(url: URL): SMTPTransport.Options {
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
