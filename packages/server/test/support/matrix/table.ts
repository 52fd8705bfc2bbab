import { join } from 'node:path';
import { CALLERS, OUTSIDERS, UNSEEING, type Caller } from './cast.ts';

export const TABLE = join(import.meta.dir, '../../../../../docs/spec/cases/access.md');

/** Hidden: the answer of something that does not exist, after the same queries. */
export const HIDDEN = 'hidden';

/** One line of the table: what everyone is answered in a public community, in a channel that everyone sees. */
export interface TableRow {
  /** The method and the path as in the OpenAPI document, and what sets this row apart from others of the route. */
  readonly name: string;
  readonly route: string;
  readonly cells: Readonly<Record<Caller, string>>;
}

/** The heading of the second table, which is about streams. */
const STREAMS = '## Streams';

/** Reads the tables. Throws if their columns are not the callers. */
export async function readTables(): Promise<
  Readonly<Record<'requests' | 'streams', readonly TableRow[]>>
> {
  const [requests = '', streams = ''] = (await Bun.file(TABLE).text()).split(STREAMS);
  return { requests: rowsOf(requests, 'Request'), streams: rowsOf(streams, 'Stream') };
}

function rowsOf(text: string, title: string): readonly TableRow[] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const [titles = [], , ...rows] = lines.map(cellsOf);
  const expected = [title, ...CALLERS];
  if (titles.join() !== expected.join()) throw new Error(`the columns are not ${expected.join()}`);
  return rows.map(([name = '', ...cells]) => {
    const entries = CALLERS.map((caller, at) => [caller, cells[at] ?? '']);
    const [method = '', path = ''] = name.split(' ');
    // Guarantee: made from all callers.
    return {
      name,
      route: `${method} ${path}`,
      cells: Object.fromEntries(entries) as Record<Caller, string>,
    };
  });
}

/** A line of the table. */
export function lineOf(name: string, cells: readonly string[]): string {
  return `| ${[name, ...cells].join(' | ')} |`;
}

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim().replaceAll('`', ''));
}

/** The place to which a request goes. */
export type Where = 'public' | 'private' | 'secret';

const UNSEEING_AT: Readonly<Record<Where, readonly Caller[]>> = {
  public: [],
  private: OUTSIDERS,
  secret: UNSEEING,
};

/** Returns whether a route is about a community to which the caller is invited. */
export function isOfInvited({ route }: Pick<TableRow, 'route'>): boolean {
  return route.includes(' /invites/');
}

/**
 * Returns what a cell of the table means elsewhere: those who do not see the place find nothing, if they may ask at
 * all.
 */
export function expectedAt(where: Where, caller: Caller, { route, cells }: TableRow): string {
  const [cell = '', inPrivate = cell] = cells[caller].split(' / ');
  // Anyone with the code of an invite is invited.
  if (isOfInvited({ route })) return cell;
  if (UNSEEING_AT[where].includes(caller) && cell !== '401') return HIDDEN;
  return where === 'private' ? inPrivate : cell;
}
