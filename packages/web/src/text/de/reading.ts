import type { enReading } from '../en/reading.ts';

/** Die Texte zum Handeln an Nachrichten und zum Zurechtfinden zwischen ihnen. */
export const deReading: typeof enReading = {
  actions: 'Aktionen für diese Nachricht',
  more: 'Weitere Aktionen',
  reply: 'Antworten',
  copyLink: 'Link kopieren',
  copyText: 'Text kopieren',
  linkCopied: 'Link kopiert',
  textCopied: 'Text kopiert',
  notCopied: 'Kopieren nicht möglich',
  replyingTo: (author) => `Antwort an ${author}`,
  cancelReply: 'Nicht antworten',
  quoteOf: (author) => `Antwort auf ${author}`,
  jumpToDate: (day) => `${day}. Zu einem anderen Tag springen`,
  newLine: 'Neu',
  newSince: (count, shown, since) =>
    count === 1
      ? `${shown} neue Nachricht seit ${since}`
      : `${shown} neue Nachrichten seit ${since}`,
  jumpToNew: 'Zur ersten neuen Nachricht springen',
  dismissNew: 'Schließen',
  shortcuts: 'Tastenkürzel',
  keys: {
    moveBetween: 'Vorige oder nächste Nachricht',
    openMenu: 'Aktionen für die Nachricht',
    toNewest: 'Zurück zur neuesten Nachricht und zum Textfeld',
    scroll: 'Seitenweise blättern',
    send: 'Nachricht senden',
    newLine: 'Neue Zeile',
    list: 'Diese Liste',
  },
  keyNames: {
    up: 'Pfeil hoch',
    down: 'Pfeil runter',
    pageUp: 'Bild auf',
    pageDown: 'Bild ab',
    enter: 'Enter',
    shift: 'Umschalt',
    escape: 'Esc',
    control: 'Strg',
  },
};
