import type { enComposer } from '../en/composer.ts';

/** Die Texte zum Schreiben und Senden. */
export const deComposer: typeof enComposer = {
  label: 'Nachricht',
  placeholder: (name) => `Schreib an ${name}`,
  send: 'Senden',
  attach: 'Dateien hinzufügen',
  drop: 'Dateien loslassen, um sie der Nachricht hinzuzufügen',
  charactersLeft: (count, text) => (count === 1 ? 'noch 1 Zeichen' : `noch ${text} Zeichen`),
  charactersOver: (count, text) => (count === 1 ? '1 Zeichen zu viel' : `${text} Zeichen zu viel`),
  tooLong: 'Die Nachricht ist zu lang zum Senden. Kürze sie oder sende sie in Teilen.',
  tooLongWithFiles:
    'Mit den Adressen ihrer Dateien ist die Nachricht zu lang zum Senden. Kürze sie oder sende die Dateien einzeln.',
  tooMany: 'Es warten bereits zu viele Nachrichten. Diese bleibt hier, bis einige gesendet sind.',
  sendAgainIn: (time) => `Du kannst in ${time} wieder senden. Was du absendest, wartet bis dahin.`,
  files: 'Dateien dieser Nachricht',
  removeFile: (name) => `${name} entfernen`,
  spoiler: 'Spoiler',
  spoilerHint: (name) => `${name} verdecken, bis jemand darauf klickt`,
  fileEmpty: (name) => `${name} wurde nicht hinzugefügt: Die Datei ist leer oder ein Ordner.`,
  fileTooBig: (name, size, limit) =>
    `${name} wurde nicht hinzugefügt: Die Datei hat ${size}, erlaubt sind ${limit}.`,
  dismiss: 'Verstanden',
  uploads: 'Uploads',
  uploading: (name) => `Lade ${name} hoch`,
  uploadOf: (sent, total) => `${sent} von ${total}`,
  uploadQueued: 'Wartet',
  uploadDone: 'Hochgeladen',
  uploadWaits: (time) => `Die Grenze für Uploads ist erreicht. Sie gehen in ${time} weiter.`,
  uploadHeld: 'Geht weiter, sobald die Verbindung wieder da ist.',
  cancelUpload: 'Abbrechen',
  cancelUploadLabel: 'Abbrechen und diese Nachricht weiterschreiben',
  retry: 'Noch einmal',
  editAgain: 'Weiterschreiben',
};
