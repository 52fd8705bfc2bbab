import type { MailLanguage } from './mail-language.ts';

/** What a mail may mention. */
export interface MailFacts {
  readonly username: string;
  readonly instanceName: string;
}

/** The words of a mail. A link, a code and a paragraph follow in the order of the fields. */
export interface MailWords {
  readonly subject: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The words of every mail, in one language. */
export interface MailTexts {
  readonly hello: (facts: MailFacts) => string;
  readonly openPage: string;
  readonly orType: string;
  readonly type: string;
  readonly verify: (facts: MailFacts) => MailWords;
  readonly reset: (facts: MailFacts) => MailWords;
  readonly emailChanging: (facts: MailFacts & { readonly email: string }) => MailWords;
  readonly emailChanged: (facts: MailFacts & { readonly email: string }) => MailWords;
  readonly passwordChanged: (facts: MailFacts) => MailWords;
  readonly signIn: (
    facts: MailFacts & { readonly network: string; readonly time: string },
  ) => MailWords;
  readonly factorAdded: (facts: MailFacts) => MailWords;
  readonly factorRemoved: (facts: MailFacts) => MailWords;
}

const NOT_YOU =
  'If this was not you, somebody else knows your password: choose a new one, and end the sessions that you do not know. If you cannot sign in any more, ask for a new password by mail.';

const NICHT_DU =
  'Wenn du das nicht warst, kennt jemand dein Passwort: Wähle ein neues, und beende die Sitzungen, die du nicht kennst. Wenn du dich nicht mehr anmelden kannst, lass dir per Mail ein neues Passwort geben.';

const ENGLISH: MailTexts = {
  hello: ({ username }) => `Hello ${username},`,
  openPage: 'Open this page:',
  orType: 'Or enter this code there:',
  type: 'Enter this code:',
  verify: ({ username, instanceName }) => ({
    subject: `${instanceName}: verify your address`,
    before: [`the account ${username} of ${instanceName} uses this address. Please verify it.`],
    after: [
      'The code can be used once, within an hour. If you have no such account, you need not do anything.',
    ],
  }),
  reset: ({ username, instanceName }) => ({
    subject: `${instanceName}: choose a new password`,
    before: [`somebody asked for a new password for your account ${username} of ${instanceName}.`],
    after: [
      'The code can be used once, within an hour. If you did not ask for it, you need not do anything: your password stays as it is.',
    ],
  }),
  emailChanging: ({ username, instanceName, email }) => ({
    subject: `${instanceName}: your address is being changed`,
    before: [
      `somebody who knows your password wants to use the address ${email} for your account ${username} of ${instanceName}. It replaces this one as soon as it is verified.`,
    ],
    after: [
      'If this was not you, choose a new password now: then your address stays as it is. Also end the sessions that you do not know.',
    ],
  }),
  emailChanged: ({ username, instanceName, email }) => ({
    subject: `${instanceName}: your address has changed`,
    before: [`your account ${username} of ${instanceName} now uses the address ${email}.`],
    after: [
      'If this was not you, somebody else knows your password. Choose a new one if you can still sign in. If you cannot, ask the owner of the server.',
    ],
  }),
  passwordChanged: ({ username, instanceName }) => ({
    subject: `${instanceName}: your password has changed`,
    before: [`your account ${username} of ${instanceName} has a new password.`],
    after: [NOT_YOU],
  }),
  signIn: ({ username, instanceName, network, time }) => ({
    subject: `${instanceName}: signed in from a new place`,
    before: [
      `somebody signed in to your account ${username} of ${instanceName} from a network from which it was not used before: ${network}, on ${time}.`,
    ],
    after: [NOT_YOU, 'You can switch these mails off in the settings of your account.'],
  }),
  factorAdded: ({ username, instanceName }) => ({
    subject: `${instanceName}: second factor set up`,
    before: [
      `signing in to your account ${username} of ${instanceName} now takes a code of your app besides the password.`,
    ],
    after: [NOT_YOU],
  }),
  factorRemoved: ({ username, instanceName }) => ({
    subject: `${instanceName}: second factor removed`,
    before: [
      `signing in to your account ${username} of ${instanceName} takes nothing but the password now.`,
    ],
    after: [NOT_YOU],
  }),
};

const GERMAN: MailTexts = {
  hello: ({ username }) => `Hallo ${username},`,
  openPage: 'Öffne diese Seite:',
  orType: 'Oder gib dort diesen Code ein:',
  type: 'Gib diesen Code ein:',
  verify: ({ username, instanceName }) => ({
    subject: `${instanceName}: Bestätige deine Adresse`,
    before: [
      `das Konto ${username} auf ${instanceName} verwendet diese Adresse. Bitte bestätige sie.`,
    ],
    after: [
      'Der Code gilt eine Stunde lang und nur einmal. Wenn du kein solches Konto hast, musst du nichts tun.',
    ],
  }),
  reset: ({ username, instanceName }) => ({
    subject: `${instanceName}: Wähle ein neues Passwort`,
    before: [
      `jemand hat für dein Konto ${username} auf ${instanceName} ein neues Passwort angefordert.`,
    ],
    after: [
      'Der Code gilt eine Stunde lang und nur einmal. Wenn du ihn nicht angefordert hast, musst du nichts tun: Dein Passwort bleibt, wie es ist.',
    ],
  }),
  emailChanging: ({ username, instanceName, email }) => ({
    subject: `${instanceName}: Deine Adresse wird geändert`,
    before: [
      `jemand, der dein Passwort kennt, möchte für dein Konto ${username} auf ${instanceName} die Adresse ${email} verwenden. Sie ersetzt diese, sobald sie bestätigt ist.`,
    ],
    after: [
      'Wenn du das nicht warst, wähle jetzt ein neues Passwort: Dann bleibt deine Adresse, wie sie ist. Beende auch die Sitzungen, die du nicht kennst.',
    ],
  }),
  emailChanged: ({ username, instanceName, email }) => ({
    subject: `${instanceName}: Deine Adresse wurde geändert`,
    before: [`dein Konto ${username} auf ${instanceName} verwendet jetzt die Adresse ${email}.`],
    after: [
      'Wenn du das nicht warst, kennt jemand dein Passwort. Wähle ein neues, falls du dich noch anmelden kannst. Sonst wende dich an die Person, die den Server betreibt.',
    ],
  }),
  passwordChanged: ({ username, instanceName }) => ({
    subject: `${instanceName}: Dein Passwort wurde geändert`,
    before: [`dein Konto ${username} auf ${instanceName} hat ein neues Passwort.`],
    after: [NICHT_DU],
  }),
  signIn: ({ username, instanceName, network, time }) => ({
    subject: `${instanceName}: Anmeldung von einem neuen Ort`,
    before: [
      `jemand hat sich bei deinem Konto ${username} auf ${instanceName} aus einem Netz angemeldet, aus dem es bisher nicht verwendet wurde: ${network}, am ${time}.`,
    ],
    after: [NICHT_DU, 'In den Einstellungen deines Kontos kannst du diese Mails abschalten.'],
  }),
  factorAdded: ({ username, instanceName }) => ({
    subject: `${instanceName}: Zweiter Faktor eingerichtet`,
    before: [
      `die Anmeldung bei deinem Konto ${username} auf ${instanceName} braucht jetzt außer dem Passwort einen Code deiner App.`,
    ],
    after: [NICHT_DU],
  }),
  factorRemoved: ({ username, instanceName }) => ({
    subject: `${instanceName}: Zweiter Faktor entfernt`,
    before: [
      `die Anmeldung bei deinem Konto ${username} auf ${instanceName} braucht jetzt nur noch das Passwort.`,
    ],
    after: [NICHT_DU],
  }),
};

/** The words of every mail. */
export const MAIL_TEXTS: Readonly<Record<MailLanguage, MailTexts>> = { en: ENGLISH, de: GERMAN };
