import type { Place } from './cast.ts';
import type { Asked } from './stage.ts';
import type { TableRow } from './table.ts';

/** What a request is about. */
export interface Target {
  readonly place: Place;
  /** The channel, if it is about one. */
  readonly channel: string;
}

/** An id that nothing has. */
export const ABSENT = '999';

/** The bodies of requests, by the names of their rows. */
const BODIES: Readonly<Record<string, (target: Target) => unknown>> = {
  'POST /communities': () => ({ name: 'Another', slug: 'another' }),
  'PATCH /communities/{community_id}/members/{user_id} nickname': () => ({ nickname: 'Tea' }),
  'PATCH /communities/{community_id}/members/{user_id} time-out': () => ({ timed_out_until: null }),
  'PATCH /communities/{community_id}/members/{user_id} roles': ({ place }) => ({
    role_ids: [place.trusted],
  }),
  'PUT /channels/{channel_id}/read': () => ({ last_read_id: '1' }),
};

/** Routes whose last part names somebody, who need not be in the community. */
const OF_ANYONE: readonly string[] = [];

/** The request of a row. */
export function requestOf(row: TableRow, target: Target): Asked {
  return asked(row, target, (parameter) => valueOf(parameter, row.route, target));
}

/** The same about a community or channel that does not exist. */
export function requestOfNothing(row: TableRow, target: Target): Asked {
  return asked(row, target, (parameter, at) =>
    at === 0 ? ABSENT : valueOf(parameter, row.route, target),
  );
}

/**
 * The requests of a row, in a community or channel, about a child that belongs to another one, and about one that does not
 * exist; undefined if it is not about a child.
 */
export function strayRequests(
  row: TableRow,
  target: Target,
  other: Target,
): { readonly stray: Asked; readonly absent: Asked } | undefined {
  if (row.route.split('{').length < 3 || OF_ANYONE.includes(row.route)) return undefined;
  const withChild = (child: (parameter: string) => string) =>
    asked(row, target, (parameter, at) =>
      at === 0 ? valueOf(parameter, row.route, target) : child(parameter),
    );
  return {
    stray: withChild((parameter) => valueOf(parameter, row.route, other)),
    absent: withChild(() => ABSENT),
  };
}

function asked(
  { name, route }: TableRow,
  target: Target,
  value: (parameter: string, at: number) => string,
): Asked {
  const [method = '', path = ''] = route.split(' ');
  const body = BODIES[name]?.(target);
  let at = -1;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    value(parameter, (at += 1)),
  );
  return { method, path: filled, ...(body !== undefined && { body }) };
}

/** The value of a parameter of a path. `id` is the message if the path names its channel, too. */
function valueOf(parameter: string, route: string, { place, channel }: Target): string {
  const values: Readonly<Record<string, string>> = {
    id: route.includes(' /channels/') ? channel : place.community,
    community_id: place.community,
    channel_id: channel,
    user_id: place.target,
    role_id: place.trusted,
    subject_id: place.trusted,
    slug: place.slug,
  };
  const value = values[parameter];
  if (value === undefined) throw new Error(`nothing is known for {${parameter}} of ${route}`);
  return value;
}
