import type { enOwnAccount } from '../en/own-account.ts';

/** Die Texte der Einstellungen eines Kontos. */
export const deOwnAccount: typeof enOwnAccount = {
  totp: {
    scanStep:
      'Scanne diesen Code mit einer Authenticator-App, etwa Aegis, 2FAS oder der deines Passwortmanagers.',
    qr: 'QR-Code für die Authenticator-App',
    byHand: 'Oder tippe diesen Schlüssel in die App:',
    codeStep: 'Gib dann die sechs Ziffern ein, die die App zeigt.',
    code: 'Code',
    next: 'Weiter',
    confirm: 'Aktivieren',
    removeText: 'Danach reicht dein Passwort allein zum Anmelden.',
    removeCode: 'Code aus der App oder Wiederherstellungscode',
    remove: 'Entfernen',
  },
  recovery: {
    title: 'Deine Wiederherstellungscodes',
    text: 'Ohne dein Telefon kommst du mit jedem dieser Codes einmal hinein. Sie werden nicht noch einmal gezeigt: Bewahre sie bei deinen wichtigen Papieren oder im Passwortmanager auf.',
    copy: 'Kopieren',
    copied: 'Kopiert',
    download: 'Herunterladen',
    print: 'Drucken',
    done: 'Ich habe sie gesichert',
    file: (server, name) => `Wiederherstellungscodes von @${name} auf ${server}`,
  },
  export: {
    title: 'Deine Daten',
    hint: 'Ein ZIP-Archiv mit allem, was dieser Server von dir hat: dein Profil, was du geschrieben hast, deine Dateien und deine Sitzungen.',
    start: 'Meine Daten exportieren',
    again: 'Noch einmal exportieren',
    working: 'Deine Daten werden zusammengestellt. Du kannst diese Seite inzwischen verlassen.',
    progress: (done, total) => `${done} von ${total} Dateien`,
    ready: (when) =>
      `Bereit zum Herunterladen bis ${when}. Gib den Link nicht weiter: Er gilt für alle, die ihn haben.`,
    download: (size) => `Herunterladen (${size})`,
    failed: 'Deine Daten konnten nicht zusammengestellt werden. Versuch es noch einmal.',
    wait: (time) => `In ${time} kannst du deine Daten noch einmal exportieren.`,
  },
  leave: {
    title: 'Dein Konto löschen',
    intro: 'Das passiert:',
    now: 'Du wirst sofort auf allen Geräten abgemeldet, dein Profil und dein Bild verschwinden.',
    name: (name) => `Ein Jahr lang kann niemand den Namen @${name} benutzen.`,
    question: 'Was soll mit allem geschehen, was du geschrieben hast?',
    keep: 'Behalten, ohne meinen Namen',
    keepHint:
      'Deine Nachrichten bleiben, damit man Gesprächen noch folgen kann. Als Name steht dort „deleted“.',
    erase: 'Löschen',
    eraseHint:
      'Deine Nachrichten und Dateien werden entfernt. Moderatoren sehen entfernte Texte noch 30 Tage, gemeldete bis 90 Tage nach ihrer Entscheidung.',
    final: 'Niemand kann das rückgängig machen, auch nicht die Betreiber dieses Servers.',
    confirm: 'Mein Konto löschen',
  },
  sessions: {
    text: 'Die Geräte und Programme, die bei deinem Konto angemeldet sind. Beende die, die du nicht kennst, und ändere dein Passwort.',
    current: 'Dieses Gerät',
    unknown: 'Unbekanntes Programm',
    client: (name, platform) => `${name} auf ${platform}`,
    lastUsed: (when) => `Zuletzt benutzt ${when}`,
    usedNow: 'Gerade aktiv',
    since: (when) => `Angemeldet ${when}`,
    from: (network) => `aus ${network}`,
    end: 'Beenden',
    endNamed: (name) => `Sitzung beenden: ${name}`,
    ended: 'Die Sitzung ist beendet.',
    endOthers: 'Alle anderen Sitzungen beenden',
    endOthersSure: 'Alle Geräte außer diesem werden abgemeldet. Bist du sicher?',
    endOthersYes: 'Ja, beenden',
    othersEnded: 'Alle anderen Sitzungen sind beendet.',
    noOthers: 'Du bist sonst nirgends angemeldet.',
  },
};
