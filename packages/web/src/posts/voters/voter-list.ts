import { parseId, type Id, type Vote } from '@hearth/protocol';
import { PagedList } from '../../communities/paged-list.ts';
import type { PostRequests, VotedOn } from '../post-source.ts';

/** The audit log notes each page that is read. */
const PAGE = 100;

/** Returns the list of who voted for something, the newest account first. */
export function voterList({ votes }: Pick<PostRequests, 'votes'>, on: VotedOn): PagedList<Vote> {
  return new PagedList<Vote>(async (cursor) => {
    const before: Id | undefined = parseId(cursor ?? '');
    const entries = await votes(on, { before, limit: PAGE });
    const last = entries.length < PAGE ? undefined : entries.at(-1);
    return { entries, next: last?.user.id };
  });
}
