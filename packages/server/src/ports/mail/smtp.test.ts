import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mailServer, type MailServer } from '@hearth/testing/servers/mail-server';
import { MailRefusedError, type Mail } from './mailer.ts';
import { smtpMailer } from './smtp.ts';

const MAIL: Mail = {
  to: 'ada@example.org',
  subject: 'Grüße',
  text: 'Your code is 1234.',
  html: '<p>Your code is <b>1234</b>.</p>',
};

let server: MailServer;

beforeEach(async () => {
  server = await mailServer();
});
afterEach(() => server[Symbol.asyncDispose]());

const send = (mail: Partial<Mail> = {}, url = server.url) =>
  smtpMailer({ url, from: 'Hearth <hearth@chat.example.org>' }).send(
    { ...MAIL, ...mail },
    { id: 'the-id', signal: new AbortController().signal },
  );

test('[ML1] a mail arrives as text and as HTML, from the address of the instance', async () => {
  await send();
  const [{ from, to, text } = { from: '', to: [], text: '' }] = server.received;
  expect([from, to]).toEqual(['hearth@chat.example.org', ['ada@example.org']]);
  expect(text).toContain('From: Hearth <hearth@chat.example.org>\r\n');
  expect(text).toContain('Message-ID: <the-id@chat.example.org>\r\n');
  expect(text).toContain('Auto-Submitted: auto-generated\r\n');
  expect(text).toContain('Subject: =?UTF-8?');
  for (const part of ['text/plain', 'text/html', 'Your code is 1234.', '<b>1234</b>']) {
    expect(text).toContain(part);
  }
});

test.each([
  'ada@example.org, eve@example.org',
  'ada@example.org\r\nRCPT TO:<eve@example.org>',
  'Eve <eve@example.org>',
])('[ML1] an address such as %p never becomes several, and reaches nobody else', async (to) => {
  await send({ to }).catch(() => {});
  expect(server.received.flatMap((mail) => mail.to)).not.toContain('eve@example.org');
});

test('[ML7] a mail goes to the first address of the server that accepts a connection', async () => {
  const url = `smtp://mail.example:${new URL(server.url).port}`;
  const lookUp = async (name: string) =>
    name === 'mail.example' ? ['127.0.0.2', '127.0.0.1'] : [];
  const options = { id: '1', signal: new AbortController().signal };
  await smtpMailer({ url, from: 'a@b.c', lookUp }).send(MAIL, options);
  expect(server.received).toHaveLength(1);
});

test('[ML7] a stop does not wait for a name server that does not answer', async () => {
  const stop = new AbortController();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const lookUp = () => {
    ask();
    return new Promise<never>(() => {});
  };
  const mailer = smtpMailer({ url: 'smtp://mail.example', from: 'a@b.c', lookUp });
  const sending = mailer.send(MAIL, { id: '1', signal: stop.signal });
  await asked;
  stop.abort(new Error('stopped'));
  await expect(sending).rejects.toThrow('stopped');
});

test('[ML1] a subject cannot add a header', async () => {
  await send({ subject: 'Hello\r\nBcc: eve@example.org' });
  expect(server.received[0]?.to).toEqual(['ada@example.org']);
  expect(server.received[0]?.text).not.toMatch(/^Bcc:/m);
});

test('[ML2] a recipient whom the server does not know is refused permanently, and anything else is tried again', async () => {
  server.answer({ code: 550, text: 'no such user' });
  await expect(send()).rejects.toBeInstanceOf(MailRefusedError);
  server.answer({ code: 451, text: 'come later' });
  const later = await send().catch((error: unknown) => error);
  expect(later).toBeInstanceOf(Error);
  expect(later).not.toBeInstanceOf(MailRefusedError);
  const { url } = server;
  await server[Symbol.asyncDispose]();
  const away = await send({}, url).catch((error: unknown) => error);
  expect(away).toBeInstanceOf(Error);
  expect(away).not.toBeInstanceOf(MailRefusedError);
});

test('[ML3] a user and a password are sent to the server, with characters of any kind', async () => {
  const { port } = new URL(server.url);
  server.needs({ user: 'a@b', password: 'p:/?#%ß' });
  const url = `smtp://${encodeURIComponent('a@b')}:${encodeURIComponent('p:/?#%ß')}@127.0.0.1:${port}`;
  await send({}, url);
  expect(server.received).toHaveLength(1);
  await expect(send({}, server.url)).rejects.toThrow();
  expect(server.received).toHaveLength(1);
});

test('[ML3] a stop does not wait for a server that does not answer, and cuts the connection', async () => {
  const { promise: connected, resolve: open } = Promise.withResolvers<void>();
  const { promise: cut, resolve: close } = Promise.withResolvers<void>();
  const socket = { open: () => open(), data() {}, close: () => close() };
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket });
  const stop = new AbortController();
  const sending = smtpMailer({ url: `smtp://127.0.0.1:${silent.port}`, from: 'a@b.c' }).send(MAIL, {
    id: '1',
    signal: stop.signal,
  });
  await connected;
  stop.abort(new Error('stopped'));
  await expect(sending).rejects.toThrow('stopped');
  await cut;
  silent.stop(true);
});
