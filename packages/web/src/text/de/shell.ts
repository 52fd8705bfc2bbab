import type { enShell } from '../en/shell.ts';

/** Die Texte rund um die Lobby. */
export const deShell: typeof enShell = {
  welcome: {
    tagline: 'Ein Raum, alle darin. Kein Konto nötig: Name aussuchen und eintreten.',
    nameLabel: 'Dein Name',
    nameHint: '2 bis 32 Zeichen. Andere sehen ihn neben dem, was du schreibst.',
    enter: 'Eintreten',
    facts: (characters, fileSize) =>
      `Nachrichten bis ${characters} Zeichen, Dateien bis ${fileSize}.`,
  },
  name: {
    missing: 'Such dir zuerst einen Namen aus.',
    short: 'Ein Name hat mindestens 2 Zeichen.',
    long: (count) => `Ein Name hat höchstens 32 Zeichen; dieser hat ${count}.`,
  },
  header: {
    aboutInstance: (name) => `Über ${name}`,
    settings: 'Einstellungen',
    you: (name) => `Du bist ${name}. Namen ändern`,
  },
  connection: {
    label: 'Verbindung',
    connecting: 'Verbinde…',
    online: 'Online',
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
    reconnecting: 'Die Instanz ist nicht erreichbar. Was du schreibst, bleibt erhalten.',
    rateLimited: 'Die Instanz hat diese Verbindung gebremst. Sie kommt wieder.',
    nextTry: (time) => `Nächster Versuch in ${time}`,
    closed: 'Diese Seite ist getrennt. Lade sie neu, um weiterzumachen.',
    reload: 'Neu laden',
  },
  instance: {
    title: 'Über diese Instanz',
    noDescription: 'Sie ist noch nicht beschrieben.',
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
    limitsLoading: 'Frage die Instanz…',
    limitsFailed: 'Die Instanz hat nicht geantwortet.',
    addresses: 'Adressen',
    rest: 'REST-Dienst',
    gateway: 'Gateway',
    files: 'Dateidienst',
    copy: (what) => `Adresse kopieren: ${what}`,
    otherClients:
      'Bots und andere Programme brauchen nur die erste Adresse, sie nennt ihnen den Rest. Dieses hier liest und schreibt über dieselbe Schnittstelle.',
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
    notifications: 'Benachrichtigungen',
    notificationsHint: 'Wenn etwas geschrieben wird, während du woanders bist.',
    notificationsDenied:
      'Der Browser erlaubt sie dieser Seite nicht. Das lässt sich in seinen Website-Einstellungen ändern.',
    notificationsUnavailable: 'Der Browser hat sie nur für Seiten, die über HTTPS kommen.',
  },
  copy: { copied: 'Kopiert', notCopied: 'Kopieren hat nicht geklappt' },
  dialog: { close: 'Schließen' },
  notification: { file: 'eine Datei', newMessage: 'Neue Nachricht' },
  errors: {
    unknown: 'Etwas ist schiefgegangen.',
    notSent: (why) => `Nicht gesendet. ${why}`,
    maybeNotSent: (why) => `Nicht gesendet, soweit bekannt. ${why}`,
    leftOnItsWay:
      'Die Seite wurde verlassen, während das unterwegs war. Vielleicht ist es angekommen.',
    leftUnsent: 'Nicht gesendet. Die Seite, auf der es geschrieben wurde, ging vorher zu.',
    network: 'Die Instanz war nicht zu erreichen.',
    rateLimited: (time) => `Zu viel auf einmal. Versuch es in ${time} noch einmal.`,
    bytesLeft: (left, time) =>
      `Zurzeit können nur noch ${left} hochgeladen werden. In ${time} ist wieder Platz.`,
    author: (why) => `Die Instanz hat den Namen nicht angenommen: ${why}.`,
    content: (why) => `Die Instanz hat den Text nicht angenommen: ${why}.`,
    file: (why) => `Die Instanz hat die Datei nicht angenommen: ${why}.`,
    field: (field, why) => `Die Instanz hat ${field} nicht angenommen: ${why}.`,
    server: 'Die Instanz ist daran gescheitert. Versuch es gleich noch einmal.',
    unexpected: 'Etwas zwischen dir und der Instanz hat an ihrer Stelle geantwortet.',
    gone: 'Es ist nicht mehr da.',
    tooLong: (length, limit) =>
      `Mit ihren Dateien hat die Nachricht ${length} Zeichen; erlaubt sind ${limit}.`,
    tooMany: 'Es warten schon zu viele Nachrichten.',
  },
};
