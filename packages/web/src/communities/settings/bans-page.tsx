import { useCallback } from 'preact/hooks';
import { useFormats } from '../../text/use-text.ts';
import type { MyCommunity } from '@hearth/sdk';
import { useCommunities } from '../use-communities.ts';
import type { Ban } from '../wire.ts';
import { nameOfPerson } from '../../conversation/author.ts';
import { PagedTable, useDecidedTable } from './paged-table.tsx';
import { Person } from './person.tsx';
import { useSettingsText } from './use-settings-text.ts';

/** Shows who is banned, why, and until when. */
export function BansPage({ community: { id } }: { readonly community: MyCommunity }) {
  const { requests } = useCommunities();
  const { bans: words } = useSettingsText();
  const { decide, table } = useDecidedTable(
    useCallback(
      (cursor?: string) => requests.bans(id, { ...(cursor !== undefined && { cursor }) }),
      [requests, id],
    ),
  );
  return (
    <PagedTable {...table} none={words.none}>
      {(ban) => (
        <BanLine
          key={ban.user.id}
          ban={ban}
          onLift={() => decide(ban, () => requests.unban(id, ban.user.id))}
        />
      )}
    </PagedTable>
  );
}

function BanLine({ ban, onLift }: { readonly ban: Ban; readonly onLift: () => void }) {
  const { bans: words } = useSettingsText();
  const formats = useFormats();
  const { user, reason, created_by: by, created_at: since, expires_at: until } = ban;
  const facts = [
    until === undefined ? words.forGood : words.until(formats.moment(until)),
    formats.date(since),
    ...(by === undefined ? [] : [words.by(nameOfPerson(by))]),
  ];
  return (
    <Person
      user={user}
      text={
        <>
          {reason !== undefined && <p>{reason}</p>}
          <p class="hint">{facts.join(' · ')}</p>
        </>
      }
    >
      <button
        type="button"
        class="button"
        aria-label={words.liftOf(nameOfPerson(user))}
        onClick={onLift}
      >
        {words.lift}
      </button>
    </Person>
  );
}
