import { HISTORY_PAGE, parseId, ValidationError, type Id } from '@hearth/protocol';
import type { HistoryQuery } from './message-history.ts';

/** What the URL of `GET /messages` asks for. Throws ValidationError naming the parameter. */
export function messageQuery(url: string): HistoryQuery {
  const at = url.indexOf('?');
  const parameters = new URLSearchParams(at === -1 ? '' : url.slice(at));
  return {
    after: idOf(parameters, 'after'),
    before: idOf(parameters, 'before'),
    limit: limitOf(parameters),
  };
}

function idOf(parameters: URLSearchParams, name: 'after' | 'before'): Id | undefined {
  const given = parameters.get(name);
  if (given === null) return undefined;
  const id = parseId(given);
  if (id === undefined) throw new ValidationError(name, 'must be the id of a message');
  return id;
}

function limitOf(parameters: URLSearchParams): number {
  const given = parameters.get('limit');
  if (given === null) return HISTORY_PAGE.default;
  const limit = /^\d{1,3}$/.test(given) ? Number(given) : NaN;
  if (limit >= HISTORY_PAGE.min && limit <= HISTORY_PAGE.max) return limit;
  throw new ValidationError(
    'limit',
    `must be a whole number from ${HISTORY_PAGE.min} to ${HISTORY_PAGE.max}`,
  );
}
