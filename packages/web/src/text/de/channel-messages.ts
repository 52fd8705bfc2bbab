import type { enChannelMessages } from '../en/channel-messages.ts';

/** The texts about messages of channels. They come with their views. */
export const deChannelMessages: typeof enChannelMessages = {
  makePost: 'Beitrag aus dieser Nachricht machen',
  pin: 'Anpinnen',
  unpin: 'Loslösen',
  pins: 'Angepinnte Nachrichten',
  noPins:
    'Hier ist noch nichts angepinnt. „Anpinnen“ steht im Menü einer Nachricht, wenn du das darfst.',
  jump: 'In der Unterhaltung zeigen',
  files: (count, shown) => (count === 1 ? '1 Datei' : `${shown} Dateien`),
  versions: 'Frühere Fassungen',
  now: 'Jetzt',
  until: (when) => `Bis ${when}`,
  moreVersions: 'Ältere zeigen',
  noText: 'Kein Text',
  select: 'Nachrichten auswählen',
  selected: (count, shown) =>
    count === 1 ? '1 Nachricht ausgewählt' : `${shown} Nachrichten ausgewählt`,
  full: 'Mehr lassen sich nicht auf einmal löschen.',
  remove: 'Löschen',
  cancel: 'Abbrechen',
  removeTitle: (count, shown) =>
    count === 1 ? '1 Nachricht löschen?' : `${shown} Nachrichten löschen?`,
  removeText: 'Niemand kann sie dann noch sehen. Das lässt sich nicht rückgängig machen.',
  reachTitle: (shown) => `${shown} Personen benachrichtigen?`,
  reachText: (shown) =>
    `Diese Nachricht erwähnt ${shown} Personen. Sie alle werden benachrichtigt.`,
  atLeast: (shown) => `${shown} oder mehr`,
  send: 'Senden',
  levels: {
    open: 'Benachrichtigungen',
    title: (place) => `Benachrichtigungen aus ${place}`,
    label: 'Benachrichtige mich über',
    names: {
      inherit: 'Wie in der Community',
      all: 'Alle Nachrichten',
      mentions: 'Erwähnungen und Antworten',
      none: 'Nichts',
    },
    hints: {
      inherit: (level) => `Jetzt: ${level}`,
      all: 'Jede Nachricht, während du woanders hinsiehst.',
      mentions:
        'Nachrichten, die dich, eine deiner Rollen oder alle erwähnen, und Antworten an dich.',
      none: 'Ungelesenes und Erwähnungen bleiben markiert.',
    },
    muted: 'Stummgeschaltet: Bis du das aufhebst, bekommst du von hier keine Benachrichtigungen.',
  },
  inbox: {
    title: 'Erwähnungen und Antworten',
    none: 'Bisher hat dich niemand erwähnt oder dir geantwortet.',
    unread: (count, shown) =>
      `Erwähnungen und Antworten, ${count === 1 ? '1 ist' : `${shown} sind`} ungelesen`,
    mentioned: {
      message: (name) => `${name} hat dich erwähnt`,
      post: (name) => `${name} hat dich in einem Beitrag erwähnt`,
      comment: (name) => `${name} hat dich in einem Kommentar erwähnt`,
    },
    replied: {
      message: (name) => `${name} hat dir geantwortet`,
      post: (name) => `${name} hat dir geantwortet`,
      comment: (name) => `${name} hat dir in einem Kommentar geantwortet`,
    },
    readAll: 'Alle als gelesen markieren',
    more: 'Ältere zeigen',
  },
};
