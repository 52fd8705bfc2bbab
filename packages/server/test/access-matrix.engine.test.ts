import { openApiSchema } from '@hearth/protocol/schemas';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { z } from 'zod';
import {
  CALLERS,
  OUTSIDERS,
  UNSEEING,
  makeCast,
  type Caller,
  type Cast,
} from './support/matrix/cast.ts';
import { requestOf, requestOfNothing, strayRequests } from './support/matrix/requests.ts';
import { openStage, type Answered, type Asked, type Stage } from './support/matrix/stage.ts';
import {
  expectedAt,
  HIDDEN,
  lineOf,
  readTable,
  type TableRow,
  type Where,
} from './support/matrix/table.ts';

const OURS = /^\/(?:communities|channels|invites|users\/me\/communities)(?:\/|$)/;

const documentSchema = openApiSchema.extend({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

const errorSchema = z.object({ data: z.record(z.string(), z.unknown()).optional() });

const table = await readTable();

onEachDatabase((open) => {
  let stage: Stage;
  let cast: Cast;
  beforeAll(async () => {
    stage = await openStage(open);
    cast = await makeCast(stage);
    stage.database.undoTransactions();
    await warmUp();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  /** Everyone has asked before, so that tokens and memberships are known. */
  async function warmUp(): Promise<void> {
    for (const caller of CALLERS.toReversed()) {
      for (const { community, secret } of Object.values(cast.places)) {
        for (const path of [`/communities/${community}`, `/channels/${secret}`]) {
          await stage.ask(cast.tokens[caller], { method: 'GET', path });
        }
      }
    }
  }

  const targetAt = (where: Where) => {
    const place = cast.places[where === 'private' ? 'private' : 'public'];
    return { place, channel: where === 'secret' ? place.secret : place.open };
  };

  test('every route about communities has a row', async () => {
    const { text } = await stage.ask('', { method: 'GET', path: '/openapi.json' });
    const { paths } = documentSchema.parse(JSON.parse(text));
    const routes = Object.entries(paths).flatMap(([path, operations]) =>
      OURS.test(path) ? Object.keys(operations).map((name) => `${name.toUpperCase()} ${path}`) : [],
    );
    expect([...new Set(table.map(({ route }) => route))].toSorted()).toEqual(routes.toSorted());
  });

  test.each(['public', 'private', 'secret'] as const)(
    '%s: every route answers every caller as the table says',
    async (where) => {
      const rows = table.filter((row) => isAbout(row, where));
      const found: string[] = [];
      const expected: string[] = [];
      for (const row of rows) {
        const request = requestOf(row, targetAt(where));
        const cells: string[] = [];
        for (const caller of CALLERS)
          cells.push(cellOf(await stage.ask(cast.tokens[caller], request), request));
        const wanted = CALLERS.map((caller) => expectedAt(where, caller, row.cells[caller]));
        expected.push(
          lineOf(
            row.name,
            wanted.map((cell) => (cell === HIDDEN ? '404' : cell)),
          ),
        );
        found.push(lineOf(row.name, cells));
      }
      expect(found).toEqual(expected);
    },
  );

  test('what is hidden is answered like what does not exist, after the same queries', async () => {
    const differences: unknown[] = [];
    for (const where of ['public', 'private', 'secret'] as const) {
      for (const row of table.filter((each) => isAbout(each, where))) {
        const hidden = requestOf(row, targetAt(where));
        const absent = requestOfNothing(row, targetAt(where));
        for (const caller of CALLERS) {
          if (expectedAt(where, caller, row.cells[caller]) !== HIDDEN) continue;
          const token = cast.tokens[caller];
          const [one, other] = [await stage.ask(token, hidden), await stage.ask(token, absent)];
          if (!Bun.deepEquals(one, other))
            differences.push({ where, name: row.name, caller, one, other });
        }
      }
    }
    expect(differences).toEqual([]);
  });

  test('no answer has what its caller does not see', async () => {
    const leaks: unknown[] = [];
    for (const row of table) {
      for (const where of ['public', 'private', 'secret'] as const) {
        if (!isAbout(row, where)) continue;
        const request = requestOf(row, targetAt(where));
        for (const caller of UNSEEING) {
          const { text } = await stage.ask(cast.tokens[caller], request);
          for (const secret of secretsOf(caller)) {
            if (text.includes(secret)) leaks.push({ name: row.name, where, caller, secret });
          }
        }
      }
    }
    expect(leaks).toEqual([]);
  });

  test('a child of another community or channel is not found', async () => {
    const found: unknown[] = [];
    const other = targetAt('private');
    for (const row of table) {
      for (const [target, elsewhere] of [
        [targetAt('public'), other],
        [other, targetAt('public')],
        ...(isAbout(row, 'secret') ? [[targetAt('secret'), targetAt('public')] as const] : []),
      ] as const) {
        const requests = strayRequests(row, target, elsewhere);
        if (requests === undefined) continue;
        const { status, text } = await stage.ask(cast.tokens.owner, requests.stray);
        const absent = await stage.ask(cast.tokens.owner, requests.absent);
        if (status !== 404 || text !== absent.text) found.push({ name: row.name, status, text });
      }
    }
    expect(found).toEqual([]);
  });

  /** Texts that a caller must not be sent. */
  function secretsOf(caller: Caller): readonly string[] {
    const ofPrivate = cast.places.private;
    const outside = OUTSIDERS.includes(caller)
      ? [ofPrivate.community, ofPrivate.slug, ofPrivate.name, ofPrivate.open]
      : [];
    return [...outside, 'hush-hush', ...Object.values(cast.places).map(({ secret }) => secret)];
  }
});

function isAbout({ route }: TableRow, where: Where): boolean {
  if (where === 'secret') return route.includes(' /channels/');
  return where === 'public' || route.includes('{');
}

/** An answer, as the table writes it. */
function cellOf({ status, text }: Answered, { method, path }: Asked): string {
  if (status === 200) return 'ok';
  if (status === 401 || status === 404) return String(status);
  if (status === 405 || status >= 500) throw new Error(`${method} ${path}: ${status} ${text}`);
  const { data = {} } = errorSchema.parse(JSON.parse(text));
  const reason = String(data['permission'] ?? data['code'] ?? data['field_name']);
  return status === 403 ? reason : `${status} ${reason}`;
}
