import type { Id, NotificationLevel } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';

export interface SettingPlace {
  readonly userId: Id;
  /** Empty outside of communities. */
  readonly communityId: Id | '';
  /** Empty for the community itself. */
  readonly channelId: Id | '';
}

export interface StoredSetting extends SettingPlace {
  /** Empty if none was chosen. */
  readonly level: NotificationLevel | '';
  /** 0 unless it is muted. */
  readonly mutedUntilMs: number;
}

/** The settings of users, in no order. */
export async function selectSettings(
  db: Reader,
  userIds: readonly Id[],
): Promise<readonly StoredSetting[]> {
  if (userIds.length === 0) return [];
  const rows = await db
    .selectFrom('notification_settings')
    .selectAll()
    .where('user_id', 'in', userIds)
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    communityId: row.community_id,
    channelId: row.channel_id,
    level: row.level,
    mutedUntilMs: row.muted_until_ms,
  }));
}

/** Sets what was chosen; false if it is the same already. */
export async function upsertSetting(db: Writer, setting: StoredSetting): Promise<boolean> {
  const chosen = { level: setting.level, muted_until_ms: setting.mutedUntilMs };
  const row = await db
    .insertInto('notification_settings')
    .values({
      user_id: setting.userId,
      community_id: setting.communityId,
      channel_id: setting.channelId,
      ...chosen,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'community_id', 'channel_id'])
        .doUpdateSet(chosen)
        .where((own) =>
          own.or([
            own('notification_settings.level', '!=', chosen.level),
            own('notification_settings.muted_until_ms', '!=', chosen.muted_until_ms),
          ]),
        ),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes what was chosen; false if nothing was. */
export async function deleteSetting(db: Writer, place: SettingPlace): Promise<boolean> {
  const row = await db
    .deleteFrom('notification_settings')
    .where('user_id', '=', place.userId)
    .where('community_id', '=', place.communityId)
    .where('channel_id', '=', place.channelId)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes what a user has chosen in a community, but for the community itself and these channels if any are given. */
export async function deleteSettings(
  db: Writer,
  { userId, communityId }: Pick<SettingPlace, 'userId' | 'communityId'>,
  kept: readonly Id[] = [],
): Promise<void> {
  let query = db
    .deleteFrom('notification_settings')
    .where('user_id', '=', userId)
    .where('community_id', '=', communityId);
  if (kept.length > 0) query = query.where('channel_id', 'not in', ['', ...kept]);
  await query.execute();
}
