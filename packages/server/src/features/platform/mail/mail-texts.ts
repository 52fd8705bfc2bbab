export type MailLanguage = 'en' | 'de';

/** The language that a person has in their settings, whatever the region, if mail is written in it, else English. */
export function mailLanguageOf(settings: string): MailLanguage {
  const chosen: unknown = (JSON.parse(settings) as { readonly language?: unknown }).language;
  return typeof chosen === 'string' && /^de(?:-|$)/i.test(chosen) ? 'de' : 'en';
}

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

/** The words of a mail with a code, and where the code is entered if there is no link. */
export interface CodeWords extends MailWords {
  readonly enterCode: string;
}

/** The words of every mail, in one language. */
export interface MailTexts {
  readonly language: MailLanguage;
  readonly hello: (facts: MailFacts) => string;
  readonly openPage: string;
  readonly orEnterCode: string;
  readonly verify: (facts: MailFacts & { readonly isApproved: boolean }) => CodeWords;
  readonly reset: (facts: MailFacts) => CodeWords;
  readonly emailChanging: (facts: MailFacts & { readonly email: string }) => MailWords;
  readonly emailChanged: (facts: MailFacts & { readonly email: string }) => MailWords;
  readonly passwordChanged: (facts: MailFacts) => MailWords;
  /** The text for a person whose password was set by the people who run the server, and who does not know it. */
  readonly passwordReset: (facts: MailFacts) => MailWords;
  readonly signIn: (
    facts: MailFacts & { readonly network: string; readonly time: string },
  ) => MailWords;
  readonly factorAdded: (facts: MailFacts) => MailWords;
  readonly factorRemoved: (facts: MailFacts) => MailWords;
}

const NOT_YOU =
  'If this was not you, somebody else has access to your account: choose a new password, and end the sessions that you do not know. If you cannot sign in any more, ask for a new password by mail.';

const NICHT_DU =
  'Wenn du das nicht warst, hat jemand anders Zugang zu deinem Konto: Wähle ein neues Passwort, und beende die Sitzungen, die du nicht kennst. Wenn du dich nicht mehr anmelden kannst, fordere per E-Mail ein neues Passwort an.';

const ENGLISH: MailTexts = {
  language: 'en',
  hello: ({ username }) => `Hello ${username},`,
  openPage: 'Open this page:',
  orEnterCode: 'Or enter this code there:',
  verify: ({ username, instanceName, isApproved }) => ({
    subject: isApproved
      ? `${instanceName}: your account has been approved`
      : `${instanceName}: confirm your address`,
    before: isApproved
      ? [
          `Your account ${username} on ${instanceName} has been approved. You can sign in now.`,
          'Please also confirm that this address is yours.',
        ]
      : [
          `This address was entered for the account ${username} on ${instanceName}. Please confirm that it is yours.`,
        ],
    enterCode: `Enter this code in the settings of your account on ${instanceName}:`,
    after: [
      'The code works once, within an hour. If this is not your account, ignore this mail: without the code, the address is not confirmed.',
    ],
  }),
  reset: ({ username, instanceName }) => ({
    subject: `${instanceName}: choose a new password`,
    before: [`Somebody asked for a new password for your account ${username} on ${instanceName}.`],
    enterCode: 'Enter this code where you asked for the new password:',
    after: [
      'The code works once, within an hour. If you did not ask for a new password, ignore this mail: your password stays as it is.',
    ],
  }),
  emailChanging: ({ username, instanceName, email }) => ({
    subject: `${instanceName}: your address is being changed`,
    before: [
      `The address of your account ${username} on ${instanceName} is being changed to ${email}. The new address replaces this one as soon as it is confirmed.`,
    ],
    after: [
      'If this was not you, somebody else knows your password: choose a new one now. Then your address stays as it is. Also end the sessions that you do not know.',
    ],
  }),
  emailChanged: ({ username, instanceName, email }) => ({
    subject: `${instanceName}: your address has changed`,
    before: [
      `Your account ${username} on ${instanceName} now uses the address ${email} instead of this one.`,
    ],
    after: [
      'If this was not you, somebody else knows your password. Choose a new one if you can still sign in. If you cannot, ask the owner of the server.',
    ],
  }),
  passwordChanged: ({ username, instanceName }) => ({
    subject: `${instanceName}: your password has changed`,
    before: [`Your account ${username} on ${instanceName} has a new password.`],
    after: [NOT_YOU],
  }),
  passwordReset: ({ username, instanceName }) => ({
    subject: `${instanceName}: your password has been reset`,
    before: [
      `Your account ${username} on ${instanceName} has a new password, which the people who run the server have set. You have been signed out on all devices.`,
    ],
    after: [
      'They have the new password for you. Choose another one in the settings as soon as you have signed in. If you did not ask them for it, let them know: somebody else may have asked in your name. You can also choose a new password by mail.',
    ],
  }),
  signIn: ({ username, instanceName, network, time }) => ({
    subject: `${instanceName}: signed in from a new place`,
    before: [
      `Somebody signed in to your account ${username} on ${instanceName} from a network that is new for it: ${network}, on ${time}.`,
    ],
    after: ['If this was you, you need not do anything.', NOT_YOU],
  }),
  factorAdded: ({ username, instanceName }) => ({
    subject: `${instanceName}: second factor set up`,
    before: [
      `Signing in to your account ${username} on ${instanceName} now takes a code from your authenticator app besides the password.`,
    ],
    after: [NOT_YOU],
  }),
  factorRemoved: ({ username, instanceName }) => ({
    subject: `${instanceName}: second factor removed`,
    before: [
      `Signing in to your account ${username} on ${instanceName} now takes the password only.`,
    ],
    after: [NOT_YOU],
  }),
};

const GERMAN: MailTexts = {
  language: 'de',
  hello: ({ username }) => `Hallo ${username},`,
  openPage: 'Öffne diese Seite:',
  orEnterCode: 'Oder gib dort diesen Code ein:',
  verify: ({ username, instanceName, isApproved }) => ({
    subject: isApproved
      ? `${instanceName}: Dein Konto wurde freigegeben`
      : `${instanceName}: Bestätige deine Adresse`,
    before: isApproved
      ? [
          `dein Konto ${username} auf ${instanceName} wurde freigegeben. Du kannst dich jetzt anmelden.`,
          'Bitte bestätige auch, dass diese Adresse dir gehört.',
        ]
      : [
          `diese Adresse wurde für das Konto ${username} auf ${instanceName} angegeben. Bitte bestätige, dass sie dir gehört.`,
        ],
    enterCode: `Gib diesen Code in den Einstellungen deines Kontos auf ${instanceName} ein:`,
    after: [
      'Der Code gilt eine Stunde lang und nur einmal. Wenn das nicht dein Konto ist, musst du nichts tun: Ohne den Code wird die Adresse nicht bestätigt.',
    ],
  }),
  reset: ({ username, instanceName }) => ({
    subject: `${instanceName}: Wähle ein neues Passwort`,
    before: [
      `jemand hat für dein Konto ${username} auf ${instanceName} ein neues Passwort angefordert.`,
    ],
    enterCode: 'Gib diesen Code dort ein, wo du das neue Passwort angefordert hast:',
    after: [
      'Der Code gilt eine Stunde lang und nur einmal. Wenn du kein neues Passwort angefordert hast, musst du nichts tun: Dein Passwort bleibt, wie es ist.',
    ],
  }),
  emailChanging: ({ username, instanceName, email }) => ({
    subject: `${instanceName}: Deine Adresse wird geändert`,
    before: [
      `die Adresse deines Kontos ${username} auf ${instanceName} wird in ${email} geändert. Die neue Adresse ersetzt diese, sobald sie bestätigt ist.`,
    ],
    after: [
      'Wenn du das nicht warst, kennt jemand dein Passwort: Wähle jetzt ein neues. Dann bleibt deine Adresse, wie sie ist. Beende auch die Sitzungen, die du nicht kennst.',
    ],
  }),
  emailChanged: ({ username, instanceName, email }) => ({
    subject: `${instanceName}: Deine Adresse wurde geändert`,
    before: [
      `dein Konto ${username} auf ${instanceName} verwendet jetzt die Adresse ${email} statt dieser.`,
    ],
    after: [
      'Wenn du das nicht warst, kennt jemand dein Passwort. Wähle ein neues, falls du dich noch anmelden kannst. Sonst wende dich an die Person, die den Server betreibt.',
    ],
  }),
  passwordChanged: ({ username, instanceName }) => ({
    subject: `${instanceName}: Dein Passwort wurde geändert`,
    before: [`dein Konto ${username} auf ${instanceName} hat ein neues Passwort.`],
    after: [NICHT_DU],
  }),
  passwordReset: ({ username, instanceName }) => ({
    subject: `${instanceName}: Dein Passwort wurde zurückgesetzt`,
    before: [
      `dein Konto ${username} auf ${instanceName} hat ein neues Passwort, das die Betreiber des Servers gesetzt haben. Du wurdest auf allen Geräten abgemeldet.`,
    ],
    after: [
      'Das neue Passwort bekommst du von ihnen. Wähle in den Einstellungen ein anderes, sobald du dich angemeldet hast. Wenn du sie nicht darum gebeten hast, sag ihnen Bescheid: Vielleicht hat jemand anders in deinem Namen gefragt. Du kannst auch per E-Mail ein neues Passwort anfordern.',
    ],
  }),
  signIn: ({ username, instanceName, network, time }) => ({
    subject: `${instanceName}: Anmeldung von einem neuen Ort`,
    before: [
      `jemand hat sich bei deinem Konto ${username} auf ${instanceName} aus einem Netz angemeldet, das für dein Konto neu ist: ${network}, am ${time}.`,
    ],
    after: ['Wenn du das warst, musst du nichts tun.', NICHT_DU],
  }),
  factorAdded: ({ username, instanceName }) => ({
    subject: `${instanceName}: Zweiter Faktor eingerichtet`,
    before: [
      `bei der Anmeldung an deinem Konto ${username} auf ${instanceName} wird jetzt außer dem Passwort ein Code aus deiner Authenticator-App verlangt.`,
    ],
    after: [NICHT_DU],
  }),
  factorRemoved: ({ username, instanceName }) => ({
    subject: `${instanceName}: Zweiter Faktor entfernt`,
    before: [
      `bei der Anmeldung an deinem Konto ${username} auf ${instanceName} wird jetzt nur noch das Passwort verlangt.`,
    ],
    after: [NICHT_DU],
  }),
};

export const MAIL_TEXTS: Readonly<Record<MailLanguage, MailTexts>> = { en: ENGLISH, de: GERMAN };
