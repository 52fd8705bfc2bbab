import type { enAttachments } from '../en/attachments.ts';

/** Die Texte zu Dateien. */
export const deAttachments: typeof enAttachments = {
  loading: 'Wird geladen …',
  waiting: (duration) =>
    `Noch ${duration} warten: Der Server begrenzt, wie oft Dateien geladen werden`,
  missing: 'Diese Datei gibt es nicht mehr.',
  failed: 'Diese Datei konnte nicht geladen werden.',
  tryAgain: 'Noch einmal versuchen',
  download: 'Herunterladen',
  downloadNamed: (name) => `${name} herunterladen`,
  open: (name) => `${name} groß zeigen`,
  picture: (name) => `Bild: ${name}`,
  largePicture: (size) => `Ein großes Bild (${size})`,
  showAnyway: 'Bild zeigen',
  play: (name) => `${name} abspielen`,
  video: (name) => `Video: ${name}`,
  videoFailed: 'Dieser Browser kann dieses Video nicht abspielen.',
  videoWaiting: 'Wartet auf den Server …',
  textPreview: (name) => `Anfang von ${name}`,
  showMore: 'Mehr zeigen',
  cutOff: 'Es geht noch weiter. Lade die Datei herunter, um alles zu lesen.',
  spoiler: 'Spoiler',
  reveal: (name) => `Spoiler: ${name} zeigen`,
  hide: 'Verbergen',
  hideNamed: (name) => `${name} wieder verbergen`,
  before: 'Vorheriges Bild',
  after: 'Nächstes Bild',
  close: 'Schließen',
  large: (name) => `Bild ${name}`,
  kindText: 'Text',
  kindOther: 'Datei',
};
