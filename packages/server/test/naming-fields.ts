/**
 * The way in which it is decided who is shown what a field with an id names. `naming.test.ts` compares this with all of
 * the wire.
 */
export const DECIDED = {
  /** Answers and events have it as what they are about: verbs and streams decide who gets these. */
  itself: ['id', 'ids'],
  /** Only requests have it: verbs check what it names. */
  asked: ['after', 'around', 'before', 'in', 'option_ids', 'order.id', 'under', 'user', 'tag'],
  /** A person who sees the thing that has it sees this place, too: it is in it. */
  place: [
    'channel_id',
    'community_id',
    'message_id',
    'post_id',
    'comment_id',
    'parent_id',
    'post.id',
  ],
  /** Parts of the thing that has it. */
  part: [
    'attachments.id',
    'options.id',
    'my_votes',
    'roles.id',
    'role_ids',
    'overwrites.id',
    'tags.id',
    'tag_ids',
    'last_id',
    'reply_to.id',
    'reply_to',
    'accepted_comment_id',
    'parent.id',
    'also',
  ],
  /** People are no secret. Who has deleted their account is shown as such. */
  people: ['user.id', 'user_id', 'owner_id', 'mentions.id', 'created_by.id'],
  /** Pictures that a profile or community shows are public, and end with it. */
  picture: ['avatar', 'banner', 'icon', 'picture.id'],
  /** Only the reader is sent it, about themselves. */
  own: ['session.id', 'last_read_id'],
  /** The list has only what its reader sees; verbs check what is asked for. */
  listed: [
    'communities.id',
    'community.id',
    'channels.id',
    'channels',
    'posts',
    'message.id',
    'comment.id',
    'place',
    'community',
    'members.id',
  ],
  /** `partsNamed`, `mentionedPosts` and `linksOf`: only what everyone sees who sees the thing that has it, now. */
  everyone: [
    'mention_channels',
    'mention_roles',
    'mention_posts.id',
    'from_message.id',
    'crosspost_of',
    'card_channel_ids',
  ],
  /** CH7: everyone has the id, of which nothing else is known; who orders the channels says where each of them is. */
  idOnly: ['category_id'],
  /** AU3: entries about hidden channels, and changes that name them, are left out. */
  audit: ['target.id'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
