import { text as readText } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail that a server took. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, as they were sent. */
  readonly text: string;
}

/** A server that takes mail and keeps it. */
export interface MailServer extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** Answers every recipient with this from now on. */
  answer(answer: { readonly code: number; readonly text: string } | undefined): void;
  /** Takes mail only from this user from now on. */
  needs(user: { readonly user: string; readonly password: string }): void;
  /** Resolves with the first mail to this address. */
  mailTo(address: string): Promise<ReceivedMail>;
}

export interface MailServerOptions {
  /** Called with each mail that the server takes. */
  readonly onMail?: (mail: ReceivedMail) => void;
  /** A free one if it is 0. */
  readonly port?: number;
}

/** Starts a server for mail in this process, without TLS; see `mailProcess` for one that can be killed. */
export async function mailServer({
  onMail = () => {},
  port: wanted = 0,
}: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  let refusal: { readonly code: number; readonly text: string } | undefined;
  let only: { readonly user: string; readonly password: string } | undefined;
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, callback) {
      const isRight = username === only?.user && password === only?.password;
      if (isRight) callback(null, { user: username });
      else callback(new Error('wrong password'));
    },
    onMailFrom(_address, { user }, callback) {
      const mayMail = only === undefined || user === only.user;
      callback(mayMail ? null : Object.assign(new Error('sign in'), { responseCode: 530 }));
    },
    onRcptTo(_address, _session, callback) {
      callback(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
    },
    onData(stream, { envelope: { mailFrom, rcptTo } }, callback) {
      void readText(stream).then((text) => {
        const from = mailFrom === false ? '' : mailFrom.address;
        const mail = { from, to: rcptTo.map(({ address }) => address), text };
        received.push(mail);
        onMail(mail);
        for (const look of waiting) look();
        callback();
      });
    },
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(wanted, '127.0.0.1', resolve);
  await listening;
  const address = server.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    answer: (answer) => void (refusal = answer),
    needs: (user) => void (only = user),
    mailTo: (to) =>
      new Promise((found) => {
        const look = () => {
          const mail = received.find((each) => each.to.includes(to));
          if (mail === undefined) return;
          waiting.delete(look);
          found(mail);
        };
        waiting.add(look);
        look();
      }),
    [Symbol.asyncDispose]: () => new Promise((closed) => server.close(() => closed())),
  };
}
