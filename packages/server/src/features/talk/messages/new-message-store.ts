import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import type { StoredMember } from '../../communities/structure/structure.ts';
import { listText, type StoredMessage } from './stored-message.ts';
import { mentionsText } from '../mentions/mentions.ts';

const INSERT = `insert into channel_messages (channel_id, id, user_id, content, created_at_ms,
    edited_at_ms, reply_to, mentions, files, reactions, pinned, version, post_id, kind)
  select given.channel_id, given.id, given.user_id, given.content, given.created_at_ms,
    0, given.reply_to, given.mentions, given.files, '', 0, 1, given.post_id, given.kind
  from given join members on members.community_id = given.community_id and members.user_id = given.member_id
    and members.version = given.member_version`;

const INSERTED = {
  channel_id: 'text',
  id: 'text',
  user_id: 'text',
  content: 'text',
  created_at_ms: 'bigint',
  reply_to: 'text',
  mentions: 'text',
  files: 'text',
  post_id: 'text',
  kind: 'text',
  community_id: 'text',
  member_id: 'text',
  member_version: 'bigint',
} as const;

/** A new message, and the member who writes it. */
export interface NewMessage {
  readonly message: StoredMessage;
  readonly member: Pick<StoredMember, 'communityId' | 'userId' | 'version'>;
}

/**
 * Adds messages of members, but not of those who are no members any more, or have been changed. Returns the ids of those that it
 * has not added. It has to come after the channels are locked: a statement that waits for a lock sees what was there before it
 * began to wait.
 */
export async function insertMessages(
  tx: Transaction,
  messages: readonly NewMessage[],
): Promise<ReadonlySet<Id>> {
  const count = await tx.runMany({
    text: INSERT,
    columns: INSERTED,
    rows: messages.map(({ message, member }) => [
      message.channelId,
      message.id,
      message.userId,
      message.content,
      message.createdAtMs,
      message.replyTo,
      mentionsText(message.mentions),
      listText(message.files),
      message.postId,
      message.isCard ? 'post' : '',
      member.communityId,
      member.userId,
      member.version,
    ]),
  });
  if (count === messages.length) return NONE;
  const all = messages.map(({ message }) => message);
  const added = await selectContents(tx, all);
  return new Set(all.flatMap(({ id }) => (added.has(id) ? [] : [id])));
}

const NONE: ReadonlySet<Id> = new Set();

const SELECT_TARGETS = `select messages.channel_id, messages.id, messages.content from given
  join channel_messages messages on messages.channel_id = given.channel_id and messages.id = given.id`;

/** What messages of several channels say, by their ids; those that were deleted are left out. */
export async function selectContents(
  tx: Transaction,
  messages: readonly Pick<StoredMessage, 'channelId' | 'id'>[],
): Promise<ReadonlyMap<Id, string>> {
  const rows = await tx.many<{ readonly id: Id; readonly content: string }>({
    text: SELECT_TARGETS,
    columns: { channel_id: 'text', id: 'text' },
    rows: messages.map(({ channelId, id }) => [channelId, id]),
  });
  return new Map(rows.map(({ id, content }) => [id, content]));
}
