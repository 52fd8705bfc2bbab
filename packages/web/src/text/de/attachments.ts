import type { enAttachments } from '../en/attachments.ts';

/** Die Texte der Dateien. */
export const deAttachments: typeof enAttachments = {
  loading: 'Wird geladen …',
  waiting: (duration) =>
    `Noch ${duration} warten: Die Instanz begrenzt, wie oft Dateien geholt werden`,
  missing: 'Diese Datei gibt es nicht mehr.',
  failed: 'Diese Datei konnte nicht geladen werden.',
  tryAgain: 'Noch einmal versuchen',
  download: 'Herunterladen',
  downloadNamed: (name) => `${name} herunterladen`,
  open: (name) => `${name} groß zeigen`,
  picture: (name) => `Bild: ${name}`,
  largePicture: (size) => `Ein großes Bild (${size})`,
  showAnyway: 'Zeigen',
  play: (name) => `${name} abspielen`,
  video: (name) => `Video: ${name}`,
  videoFailed: 'Dieser Browser kann es nicht abspielen.',
  videoWaiting: 'Wartet auf die Instanz …',
  textPreview: (name) => `Anfang von ${name}`,
  showMore: 'Mehr zeigen',
  cutOff: 'Es geht weiter: Lade die Datei herunter, um alles zu lesen.',
  spoiler: 'Spoiler',
  reveal: (name) => `Spoiler: ${name} zeigen`,
  hide: 'Verbergen',
  hideNamed: (name) => `${name} wieder verbergen`,
  before: 'Das Bild davor',
  after: 'Das nächste Bild',
  close: 'Schließen',
  large: (name) => `Bild ${name}`,
  kindText: 'Text',
  kindOther: 'Datei',
};
