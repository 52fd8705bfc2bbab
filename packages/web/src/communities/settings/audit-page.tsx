import { useCallback } from 'preact/hooks';
import { parseId, type AuditEntry } from '@hearth/protocol';
import { Avatar } from '../../account/avatar.tsx';
import { useFormats } from '../../text/use-text.ts';
import type { MyCommunity } from '@hearth/sdk';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { describeChange } from './describe-change.ts';
import { nameOfPerson } from '../../conversation/author.ts';
import { PagedTable } from './paged-table.tsx';
import { useLoadedList } from './use-loaded-list.ts';
import { useSettingsText } from './use-settings-text.ts';

/** A page that is not full is the last one. */
const PAGE = 50;

/** Shows what has been done, and by whom; the newest first. */
export function AuditPage({ community }: { readonly community: MyCommunity }) {
  const { id } = community;
  const { requests } = useCommunities();
  const { audit: words } = useSettingsText();
  const list = useLoadedList(
    useCallback(
      async (cursor?: string) => {
        const before = cursor === undefined ? undefined : parseId(cursor);
        const entries = await requests.auditLog(id, { ...(before !== undefined && { before }) });
        return { entries, next: entries.length < PAGE ? undefined : entries.at(-1)?.id };
      },
      [requests, id],
    ),
  );
  return (
    <PagedTable list={list} none={words.none}>
      {(entry) => <Entry key={entry.id} entry={entry} community={community} />}
    </PagedTable>
  );
}

interface EntryProps {
  readonly entry: AuditEntry;
  readonly community: MyCommunity;
}

function Entry({ entry, community }: EntryProps) {
  const settings = useSettingsText();
  const { audit: words } = settings;
  const { frame } = useCommunityText();
  const formats = useFormats();
  const { user, action, target, reason, changes = [], created_at: at } = entry;
  const about = target?.user === undefined ? target?.name : nameOfPerson(target.user);
  return (
    <li class="member audit-entry">
      <Avatar name={user.username} picture={user.avatar} size={36} />
      <div class="member-text">
        <p>
          <strong>{nameOfPerson(user)}</strong> {words.actions[action] ?? words.unknown}
          {about !== undefined && (
            <>
              : <strong>{about}</strong>
            </>
          )}
        </p>
        {reason !== undefined && <p>{words.reason(reason)}</p>}
        {changes.length > 0 && (
          <ul class="audit-changes">
            {changes.map((change) => (
              <li key={change.field}>
                {describeChange(change, { words: settings, frame, formats, community })}
              </li>
            ))}
          </ul>
        )}
        <p class="hint">
          <time dateTime={new Date(at).toISOString()}>{formats.moment(at)}</time>
        </p>
      </div>
    </li>
  );
}
