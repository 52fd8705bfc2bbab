import type { enPermissions } from '../en/permissions.ts';

/** The names of permissions, and what they let somebody do, in German. */
export const dePermissions: typeof enPermissions = {
  groups: {
    everyday: 'Alltag',
    messages: 'Nachrichten',
    posts: 'Beiträge',
    written: 'Nachrichten und Beiträge',
    people: 'Leute',
    running: 'Leitung der Community',
  },
  names: {
    VIEW: { name: 'Kanäle sehen', hint: 'Ohne das geht nichts anderes.' },
    CHANGE_NICKNAME: { name: 'Eigenen Namen ändern', hint: 'Hier anders heißen.' },
    CREATE_INVITES: { name: 'Einladungen erstellen', hint: 'Leute in die Community einladen.' },
    USE_COMMANDS: { name: 'Befehle verwenden', hint: 'Benutzen, was Bots anbieten.' },
    SEND_MESSAGES: { name: 'Nachrichten schreiben', hint: 'In Kanälen für Unterhaltungen.' },
    REACT: { name: 'Reagieren', hint: 'Nachrichten Emojis geben.' },
    ATTACH_FILES: { name: 'Dateien anhängen', hint: 'Bilder und andere Dateien schicken.' },
    EMBED_LINKS: {
      name: 'Linkvorschauen zeigen',
      hint: 'Ihre Beiträge zeigen eine Vorschau der Adresse, auf die sie verweisen.',
    },
    MENTION_ALL: {
      name: 'Alle erwähnen',
      hint: '@all und alle Rollen benachrichtigen ihre Leute.',
    },
    BYPASS_SLOW_MODE: { name: 'Langsamen Modus umgehen', hint: 'Schreiben, ohne zu warten.' },
    PIN: { name: 'Anpinnen', hint: 'Nachrichten und Beiträge anpinnen.' },
    MANAGE_CONTENT: {
      name: 'Texte anderer moderieren',
      hint: 'Löschen, was andere schreiben, ihre Beiträge schließen und markieren, frühere Fassungen sehen.',
    },
    CREATE_POSTS: { name: 'Beiträge schreiben', hint: 'In Kanälen für Beiträge.' },
    COMMENT: { name: 'Kommentieren', hint: 'Auf Beiträge und Kommentare antworten.' },
    VOTE: { name: 'Abstimmen', hint: 'Für und gegen Beiträge und Kommentare stimmen.' },
    VIEW_VOTES: { name: 'Stimmen sehen', hint: 'Jedes Mal wird im Protokoll vermerkt.' },
    AWARD_POINTS: { name: 'Punkte vergeben', hint: 'Mitgliedern Punkte geben.' },
    KICK: { name: 'Mitglieder entfernen', hint: 'Wer beitreten darf, kann zurückkommen.' },
    BAN: { name: 'Sperren', hint: 'Leute draußen halten.' },
    TIMEOUT: { name: 'Auszeit geben', hint: 'Mitglieder eine Weile nur lesen lassen.' },
    MANAGE_NICKNAMES: {
      name: 'Namen anderer ändern',
      hint: 'Von Mitgliedern mit niedrigeren Rollen.',
    },
    MANAGE_COMMUNITY: {
      name: 'Community ändern',
      hint: 'Name, Beschreibung, Bilder, Adresse, wer sie findet und wer beitreten darf.',
    },
    MANAGE_ROLES: {
      name: 'Rollen verwalten',
      hint: 'Rollen unter der eigenen erstellen, ändern und vergeben.',
    },
    MANAGE_CHANNELS: {
      name: 'Kanäle verwalten',
      hint: 'Kanäle erstellen, ändern, ordnen und löschen und bestimmen, wer darin was darf.',
    },
    MANAGE_INVITES: {
      name: 'Einladungen verwalten',
      hint: 'Alle Einladungen sehen und zurückziehen.',
    },
    MANAGE_EMOJI: { name: 'Emojis verwalten', hint: 'Eigene Emojis hinzufügen und entfernen.' },
    MANAGE_WEBHOOKS: {
      name: 'Webhooks verwalten',
      hint: 'Andere Programme hier schreiben lassen.',
    },
    MANAGE_RULES: { name: 'Regeln verwalten', hint: 'Automatische Moderation einrichten.' },
    VIEW_AUDIT_LOG: { name: 'Protokoll sehen', hint: 'Was getan wurde, und von wem.' },
    HANDLE_REPORTS: {
      name: 'Meldungen bearbeiten',
      hint: 'Sehen, was Mitglieder melden, und darüber entscheiden.',
    },
    ADMINISTRATOR: {
      name: 'Administration',
      hint: 'Alles, in jedem Kanal. Nur für Leute, denen du das alles anvertraust.',
    },
  },
};
