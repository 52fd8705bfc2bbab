import { useCallback } from 'preact/hooks';
import { useFormats } from '../../text/use-text.ts';
import type { MyCommunity } from '@hearth/sdk';
import { useCommunities } from '../use-communities.ts';
import type { JoinRequest } from '../wire.ts';
import { nameOfPerson } from '../../conversation/author.ts';
import { PagedTable, useDecidedTable } from './paged-table.tsx';
import { Person } from './person.tsx';
import { useSettingsText } from './use-settings-text.ts';

/** Shows who asks to join. */
export function RequestsPage({ community: { id } }: { readonly community: MyCommunity }) {
  const { requests } = useCommunities();
  const { requests: words } = useSettingsText();
  const { decide, table } = useDecidedTable(
    useCallback(
      (cursor?: string) => requests.joinRequests(id, { ...(cursor !== undefined && { cursor }) }),
      [requests, id],
    ),
  );
  return (
    <PagedTable {...table} none={words.none}>
      {(request) => (
        <RequestLine
          key={request.user.id}
          request={request}
          onAccept={() => decide(request, () => requests.acceptRequest(id, request.user.id))}
          onRefuse={() => decide(request, () => requests.refuseRequest(id, request.user.id))}
        />
      )}
    </PagedTable>
  );
}

interface LineProps {
  readonly request: JoinRequest;
  readonly onAccept: () => void;
  readonly onRefuse: () => void;
}

function RequestLine({ request, onAccept, onRefuse }: LineProps) {
  const { requests: words } = useSettingsText();
  const formats = useFormats();
  const { user, text, created_at: since } = request;
  return (
    <Person
      user={user}
      text={
        <>
          {text !== undefined && <p>{text}</p>}
          <p class="hint">{formats.moment(since)}</p>
        </>
      }
    >
      <button
        type="button"
        class="button button-primary"
        aria-label={words.acceptOf(nameOfPerson(user))}
        onClick={onAccept}
      >
        {words.accept}
      </button>
      <button
        type="button"
        class="button"
        aria-label={words.refuseOf(nameOfPerson(user))}
        onClick={onRefuse}
      >
        {words.refuse}
      </button>
    </Person>
  );
}
