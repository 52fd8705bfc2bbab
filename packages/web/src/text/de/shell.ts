import type { enShell } from '../en/shell.ts';

/** Die Texte rund um die Lobby. */
export const deShell: typeof enShell = {
  welcome: {
    tagline: 'Ein Raum, alle darin. Kein Konto nötig: Name aussuchen und eintreten.',
    nameLabel: 'Dein Name',
    nameHint: '2 bis 32 Zeichen. Andere sehen ihn neben dem, was du schreibst.',
    enter: 'Eintreten',
    haveAccount: 'Mit einem Konto gehört der Name nur dir:',
    facts: (characters, fileSize) =>
      `Nachrichten bis ${characters} Zeichen, Dateien bis ${fileSize}.`,
  },
  accessCode: {
    tagline: 'Dieser Server fragt nach einem Zugangscode. Du brauchst ihn nur einmal.',
    label: 'Zugangscode',
    hint: 'Frag die Leute, die dich eingeladen haben.',
    enter: 'Weiter',
    impossible: 'Ein Zugangscode hat 6 bis 64 Zeichen, ohne Leerzeichen und Umlaute.',
    wrong: 'Das ist nicht der Zugangscode.',
    changed: 'Der Zugangscode wurde geändert. Gib den neuen ein.',
  },
  refusals: {
    paused: (until) =>
      until === undefined
        ? 'Das Schreiben ist für alle angehalten'
        : `Das Schreiben ist für alle angehalten, bis ${until}`,
    banned: (until) =>
      until === undefined
        ? 'Du bist von diesem Server ausgesperrt'
        : `Du bist von diesem Server ausgesperrt, bis ${until}`,
  },
  name: {
    missing: 'Such dir zuerst einen Namen aus.',
    short: 'Ein Name hat mindestens 2 Zeichen.',
    long: (count) => `Ein Name hat höchstens 32 Zeichen; dieser hat ${count}.`,
  },
  places: {
    about: 'Über',
    settings: 'Einstellungen',
    signIn: 'Anmelden',
    register: 'Konto anlegen',
    forgottenPassword: 'Passwort vergessen',
    resetPassword: 'Neues Passwort',
    verifyEmail: 'Adresse bestätigen',
    communities: 'Communitys finden',
    feed: 'Beiträge',
    newCommunity: 'Neue Community',
    invite: 'Einladung',
    notFoundTitle: 'Hier ist nichts',
    notFoundText: 'Die Adresse ist vielleicht vertippt, oder was dort war, gibt es nicht mehr.',
    toLobby: 'Zur Lobby',
    partFailed: 'Dieser Teil der Seite konnte nicht geladen werden.',
    partGone:
      'Dieser Teil der Seite kann nicht geladen werden. Neu laden hilft: Die Seite wurde wohl aktualisiert.',
    pageOld: 'Diese Seite wurde aktualisiert. Lade sie neu, um die neue Version zu verwenden.',
  },
  asked: {
    loading: 'Wird geladen …',
    failed: 'Das konnte nicht geladen werden.',
    again: 'Noch einmal versuchen',
  },
  header: {
    aboutInstance: (name) => `Über ${name}`,
    settings: 'Einstellungen',
    people: (count, shown) =>
      count === 1 ? 'Nur du bist verbunden' : `${shown} Leute sind verbunden`,
    you: (name) => `Du bist ${name}. Namen ändern`,
    account: (name) => `Du bist ${name}. Dein Konto`,
    signIn: 'Anmelden',
    back: 'Zurück zu deinen Communitys',
  },
  connection: {
    label: 'Verbindung',
    connecting: 'Verbinde…',
    online: 'Online',
    busy: 'Warte…',
    catchingUp: 'Hole auf…',
    offline: 'Offline',
    reconnecting: 'Verbinde neu…',
    reconnectingIn: (time) => `Neuer Versuch in ${time}`,
    rateLimitedFor: (time) => `Gebremst, noch ${time}`,
    closed: 'Getrennt',
    tryNow: 'Jetzt versuchen',
  },
  banner: {
    offline: 'Du bist offline. Was du schreibst, bleibt erhalten.',
    reconnecting: 'Der Server ist nicht erreichbar. Was du schreibst, bleibt erhalten.',
    rateLimited: 'Der Server hat diese Seite gebremst. Die Verbindung kommt wieder.',
    busy: 'Hier ist gerade viel los. Was du tust, wird gesendet, sobald Platz ist.',
    nextTry: (time) => `Nächster Versuch in ${time}`,
    closed: 'Diese Seite ist getrennt. Lade sie neu, um weiterzumachen.',
    reload: 'Neu laden',
  },
  instance: {
    noDescription: 'Der Besitzer hat diesen Server noch nicht beschrieben.',
    version: 'Version',
    limits: 'Grenzen',
    messageLength: 'Eine Nachricht',
    upToCharacters: (count) => `bis ${count} Zeichen`,
    fileSize: 'Eine Datei',
    upToSize: (size) => `bis ${size}`,
    rates: {
      message_create: {
        name: 'Senden',
        value: (count, time) => `${count} Nachrichten in ${time}`,
      },
      attachments: {
        name: 'Hochladen',
        value: (count, time, size) => `${count} Dateien oder ${size} in ${time}`,
      },
      fetch_file: {
        name: 'Dateien öffnen',
        value: (count, time) => `${count} Dateien in ${time}`,
      },
    },
    limitsLoading: 'Frage den Server…',
    limitsFailed: 'Der Server hat nicht geantwortet.',
    addresses: 'Adressen',
    rest: 'REST-Dienst',
    gateway: 'Gateway',
    files: 'Dateidienst',
    copy: (what) => `Adresse kopieren: ${what}`,
    otherClients:
      'Bots und andere Programme brauchen nur die erste Adresse; die übrigen erfahren sie dort. Diese Seite nutzt dieselbe Schnittstelle.',
  },
  settings: {
    title: 'Einstellungen',
    name: 'Dein Name',
    nameHint: 'Gilt für alles, was du von jetzt an schreibst.',
    saveName: 'Speichern',
    nameSaved: 'Gespeichert',
    theme: 'Farben',
    themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
    language: 'Sprache',
    languages: { system: 'Wie der Browser', en: 'English', de: 'Deutsch' },
    motion: 'Bewegung',
    motions: { system: 'Wie das System', off: 'Aus' },
    density: 'Dichte',
    densities: { cosy: 'Locker', compact: 'Kompakt' },
    mentionsOnly: 'Nur wenn ich erwähnt werde',
    mentionsOnlyHint:
      'In der Lobby Benachrichtigungen und Töne nur für Nachrichten mit deinem Namen und Antworten an dich.',
    sound: 'Ton',
    soundHint: 'Zwei kurze Töne, wenn jemand schreibt, während du woanders bist.',
    notifications: 'Benachrichtigungen',
    notificationsHint: 'Wenn jemand schreibt, während du woanders bist.',
    notificationsDenied:
      'Der Browser erlaubt dieser Seite keine Benachrichtigungen. Du kannst das in seinen Website-Einstellungen ändern.',
    notificationsUnavailable:
      'Der Browser erlaubt Benachrichtigungen nur auf Seiten, die über HTTPS geladen wurden.',
  },
  copy: { copied: 'Kopiert', notCopied: 'Kopieren hat nicht geklappt' },
  dialog: { close: 'Schließen' },
  notification: {
    file: 'eine Datei',
    newMessage: 'Neue Nachricht',
    newMessages: (count) => `${count} neue Nachrichten`,
  },
  errors: {
    unknown: 'Etwas ist schiefgegangen.',
    notSent: (why) => `Nicht gesendet. ${why}`,
    maybeNotSent: (why) => `Vielleicht nicht gesendet. ${why}`,
    leftOnItsWay:
      'Die Seite wurde geschlossen, während das gesendet wurde. Vielleicht ist es angekommen.',
    leftUnsent: 'Nicht gesendet. Die Seite wurde vorher geschlossen.',
    forbidden: 'Der Server erlaubt das nicht.',
    network: 'Der Server war nicht zu erreichen.',
    rateLimited: (time) => `Zu viel auf einmal. Versuch es in ${time} noch einmal.`,
    busy: 'Hier ist gerade zu viel los. Versuch es gleich noch einmal.',
    bytesLeft: (left, time) =>
      `Zurzeit können nur noch ${left} hochgeladen werden. Versuch es in ${time} noch einmal.`,
    author: (why) => `Der Server hat den Namen nicht angenommen: ${why}.`,
    content: (why) => `Der Server hat den Text nicht angenommen: ${why}.`,
    file: (why) => `Der Server hat die Datei nicht angenommen: ${why}.`,
    field: (field, why) => `Der Server hat ${field} nicht angenommen: ${why}.`,
    conflict: (why) => `Der Server hat das nicht angenommen: „${why}“.`,
    server: 'Auf dem Server ist ein Fehler aufgetreten. Versuch es gleich noch einmal.',
    unexpected: 'Etwas zwischen dir und dem Server hat an seiner Stelle geantwortet.',
    gone: 'Das gibt es nicht mehr.',
    tooLong: (length, limit) =>
      `Mit ihren Dateien hat die Nachricht ${length} Zeichen; erlaubt sind ${limit}.`,
    tooMany: 'Es warten schon zu viele Nachrichten.',
  },
};
