import type { ByConflict } from '@hearth/protocol';

export const deConflicts: ByConflict<string> = {
  taken: {
    email: 'Mit dieser Adresse gibt es schon ein Konto.',
    from_message: 'Aus dieser Nachricht ist schon ein Beitrag geworden.',
    slug: 'Diese Adresse ist vergeben.',
    token: 'Ein anderes Fenster hat deine Sitzung erneuert. Lade die Seite neu.',
    totp: 'Dein Konto hat schon einen zweiten Faktor.',
    user: 'Das ist die Kennung eines Kontos und der Name eines anderen.',
    username: 'Dieser Name ist vergeben oder sieht einem vergebenen zu ähnlich.',
  },
  too_many: {
    bans: 'Es gibt schon 10.000 Sperren. Sperre Adressbereiche statt einzelner Adressen.',
    blocks:
      'Die Registrierung ist schon für 10.000 Adressen gesperrt. Sperre Bereiche statt einzelner Adressen.',
    categories: 'Eine Community hat höchstens 50 Kategorien. Lösche zuerst eine.',
    channels: 'Eine Community hat höchstens 200 Kanäle. Lösche zuerst einen.',
    communities: 'Du bist schon in 100 Communitys, mehr geht nicht. Verlasse zuerst eine davon.',
    community:
      'Auf die Aufnahme in diese Community warten schon 1.000 Leute. Versuch es später noch einmal.',
    emoji: 'Eine Nachricht hat höchstens 20 verschiedene Reaktionen.',
    instance_invites: 'Es gibt schon 1.000 Einladungen zum Server. Ziehe zuerst einige zurück.',
    invites: 'Eine Community hat höchstens 100 Einladungen. Ziehe zuerst eine zurück.',
    overwrites:
      'Ein Kanal hat für höchstens 50 Rollen und Mitglieder eigene Rechte. Entferne zuerst welche.',
    pinned: 'In einem Kanal können höchstens 10 Beiträge angepinnt sein. Löse zuerst einen los.',
    pins: 'In einem Kanal können höchstens 100 Nachrichten angepinnt sein. Löse zuerst eine los.',
    requests:
      'Du wartest schon auf die Aufnahme in 100 Communitys, mehr geht nicht. Ziehe zuerst eine Anfrage zurück.',
    roles: 'Eine Community hat höchstens 100 Rollen. Lösche zuerst eine.',
    saved: 'Du hast schon 1.000 Beiträge gespeichert, mehr geht nicht. Entferne zuerst welche.',
    slug: 'Die Adresse wurde innerhalb eines Jahres fünfmal geändert. Vorerst bleibt sie, wie sie ist.',
  },
  wrong_state: {
    community: 'Diese Community wurde schon wiederhergestellt. Lade die Seite neu.',
    join: 'Dieser Community dürfen jetzt alle beitreten. Lade die Seite neu.',
    member: 'Du bist schon Mitglied dieser Community. Lade die Seite neu.',
    owner_id: 'Die Community gehört dir. Übergib sie, bevor du sie verlässt.',
    state: 'Dieses Konto hat inzwischen jemand geändert. Lade die Seite neu.',
  },
  not_questions: {
    comment_id: 'Antworten lassen sich nur in Kanälen für Fragen annehmen.',
  },
  owns_communities: { communities: 'Übergib zuerst deine Communitys oder lösche sie.' },
  poll_ended: { option_ids: 'Diese Umfrage ist beendet.' },
  verified: { email: 'Deine E-Mail-Adresse ist schon bestätigt.' },
};
