import type { AttachedFile, ChannelMessage, Id, ReplyTarget, UserSummary } from '@hearth/protocol';
import type { MessageLinks } from './message-links.ts';
import { messageExcerpt } from '../places/places.ts';
import type { StoredMessage } from './stored-message.ts';
import type { AttachedId } from '../writing/writing.ts';
import type { Mentions } from '../mentions/mentions.ts';
import { deletedUser } from '../../accounts/users/users.ts';

type Target = Pick<StoredMessage, 'id' | 'userId' | 'content' | 'isCard'>;

/** Everything that messages name. */
export interface Named {
  readonly users: ReadonlyMap<Id, UserSummary>;
  /** The messages that are replied to, unless they were deleted. */
  readonly targets?: ReadonlyMap<Id, Target>;
  readonly files?: ReadonlyMap<Id, AttachedFile>;
  /** Links to what else they name, or show, and everyone sees who sees the message; by its id. */
  readonly links?: ReadonlyMap<Id, MessageLinks>;
  /** With what the caller has reacted to each message. */
  readonly mine?: ReadonlyMap<Id, ReadonlySet<string>>;
}

/** A message as clients see it. */
export function describeMessage(message: StoredMessage, named: Named): ChannelMessage {
  const user = userIn(named, message.userId);
  const { editedAtMs, replyTo } = message;
  const described: ChannelMessage = {
    id: message.id,
    channel_id: message.channelId,
    author: user.username,
    content: contentOf(message, named),
    user,
    created_at: message.createdAtMs,
    version: message.version,
  };
  if (editedAtMs > 0) described.edited_at = editedAtMs;
  if (replyTo !== '') described.reply_to = describeTarget(replyTo, named);
  if (message.files.length > 0) described.attachments = describeFiles(message.files, named);
  addMentions(described, message.mentions, named);
  if (message.reactions.length > 0) described.reactions = reactionsOf(message, named);
  if (message.isPinned) described.pinned = true;
  if (message.isCard) described.kind = 'post';
  Object.assign(described, named.links?.get(message.id));
  return described;
}

/** The people whom messages name: their authors, those whom they mention, and the authors of what they reply to. */
export function peopleIn(
  messages: Iterable<Pick<StoredMessage, 'userId'> & Partial<Pick<StoredMessage, 'mentions'>>>,
): Set<Id> {
  const people = new Set<Id>();
  for (const { userId, mentions } of messages) {
    people.add(userId);
    for (const id of mentions?.users ?? []) people.add(id);
  }
  return people;
}

function describeTarget(id: Id, named: Named): ReplyTarget {
  const target = named.targets?.get(id);
  if (target === undefined) return { id };
  const user = userIn(named, target.userId);
  return {
    id,
    author: user.username,
    user,
    excerpt: messageExcerpt({ ...target, content: contentOf(target, named) }),
  };
}

/** A card has the title of its post, unless somebody who sees the card may not see the post any more. */
function contentOf({ id, content, isCard }: Target, { links }: Named): string {
  return isCard ? (links?.get(id)?.content ?? '') : content;
}

function describeFiles(files: readonly AttachedId[], named: Named): AttachedFile[] {
  return files.flatMap(({ id, alt }) => {
    const file = named.files?.get(id);
    if (file === undefined) return [];
    return [alt === undefined ? file : { ...file, alt }];
  });
}

function addMentions(described: ChannelMessage, { users, all }: Mentions, named: Named): void {
  if (users !== undefined) described.mentions = users.map((id) => userIn(named, id));
  if (all === true) described.mentions_all = true;
}

function reactionsOf({ id, reactions }: StoredMessage, { mine }: Named) {
  const own = mine?.get(id);
  return reactions.map(({ emoji, count }) =>
    own?.has(emoji) === true ? { emoji, count, mine: true as const } : { emoji, count },
  );
}

function userIn({ users }: Named, id: Id): UserSummary {
  return users.get(id) ?? deletedUser(id);
}
