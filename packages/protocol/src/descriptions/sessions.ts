import type { NounDescription } from './noun.ts';

export const sessions: NounDescription = {
  title: 'Sessions',
  about:
    'Somebody who signs in gets a token, which belongs to a session. The token goes into the header `Authorization: Bearer <token>` of each request, and into `AUTHENTICATE` of the gateway. A session lasts until it is ended, or has not been used for 90 days.',
  tags: ['sessions'],
  fields: {
    id: 'The session.',
    token: 'The token, a JWT. It is shown once, and a client keeps it secret.',
    client: 'The program that the session belongs to.',
    user: 'The account.',
    session: 'The session that the token belongs to.',
    username: 'The username of the account.',
  },
  objects: {
    session: [
      'A session, as its user sees it.',
      {
        created_at: 'When somebody signed in, in Unix milliseconds.',
        last_used_at: 'When it was used last, in Unix milliseconds, within some minutes.',
        address_hint: 'The network that it was used from last, such as `192.0.2.0/24`.',
        current: 'True for the session that asks.',
      },
    ],
    sessionList: 'The sessions of a user, the one used last first.',
    sessionClient: [
      'A program, as the list of sessions names it.',
      { name: 'What the program is called.', platform: 'What it runs on.' },
    ],
    signIn: [
      'Who signs in. Either `username` or `email` is given.',
      {
        email: 'The address of the account, instead of the username.',
        password: 'The password of the account.',
        code: 'A code of the second factor. Without it, an account that has one is answered with `factor_required`.',
      },
    ],
    signedIn: 'A session that has begun.',
    token: 'A new token for the session that asks. The old one is accepted for a short time.',
  },
  events: {
    sessionEnd: {
      about:
        'A session of the user has ended. The connections of that session are closed right after it.',
      to: 'All clients of the user, in the stream `u:`.',
    },
  },
};
