/** Texts about fields, by their names. A field of an object within an object may be named with a dot, such as `options.id`. */
export type Fields = Readonly<Record<string, string>>;

/** A text about an object, and about the fields that mean something else there than in the other objects of the page. */
export type ObjectDescription = string | readonly [about: string, fields: Fields];

/** An event: what has happened, and who is sent it. */
export interface EventDescription {
  readonly about: string;
  readonly to: string;
  readonly fields?: Fields;
}

/** A page of the reference: what one noun consists of, for people who write clients. */
export interface NounDescription {
  readonly title: string;
  readonly about: string;
  /** The tags of its routes. */
  readonly tags: readonly string[];
  /** Descriptions of its fields and parameters. */
  readonly fields: Fields;
  /** Its objects, by the names of their schemas. */
  readonly objects: Readonly<Record<string, ObjectDescription>>;
  /** Its events, by the names of their schemas. */
  readonly events?: Readonly<Record<string, EventDescription>>;
}

/** Descriptions of fields that mean the same on all pages that do not describe them. */
export const COMMON: Fields = {
  op: 'The kind of the payload.',
  d: 'What the payload is about.',
  s: 'The position of the event in its stream, which grows by one with each event.',
  t: 'The name of the stream, on profile 2.',
  community_id: 'The community that it belongs to.',
  channel_id: 'The channel where it was written.',
  user_id: 'The id of the person.',
  user: 'The person who wrote it.',
  created_at: 'When it was created, in Unix milliseconds.',
  edited_at: 'When its text was changed last, in Unix milliseconds; absent if it never was.',
  version:
    'Grows with each change. A client keeps what it has if that has a greater version than what arrives.',
  nonce:
    'A text that the client chooses. The same person who sends it again to the same place within 10 minutes gets the first result, and creates nothing. It comes back in the event.',
  limit: 'How many entries the answer has at most: 50 if it is absent.',
  before: 'Only entries with a smaller id than this one, the newest first.',
  after: 'Only entries with a greater id than this one: those right after it.',
  cursor: 'Where the page begins, from the `Link` header of the page before it.',
  reason: 'Why a moderator does it. The audit log shows it.',
  current_password: 'The password that the account has now, as a proof.',
  content: 'The text.',
  score: '`upvotes` less `downvotes`. Absent while votes are hidden.',
  upvotes: 'How many people vote for it. Absent while votes are hidden.',
  downvotes: 'How many people vote against it. Absent while votes are hidden.',
  scores_hidden_until: 'Until when votes are hidden, in Unix milliseconds.',
  attachments: 'Its files. Absent if there are none.',
  mentions: 'The people whom the text mentions as `@username`. Absent if there are none.',
  mention_posts:
    'The posts whose addresses on the instance are in the text, all of which everyone sees who sees the text.',
  'mention_posts.id': 'The post.',
  'mention_posts.title': 'What the post is called now.',
};
