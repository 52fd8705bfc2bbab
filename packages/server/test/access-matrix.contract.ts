import { openApiSchema } from '@hearth/protocol/schemas';
import type { StreamEvent } from '@hearth/protocol';
import { AccountClient } from '@hearth/testing/clients/account-client';
import type { TestDatabase } from '@hearth/testing/servers/each-database';
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
import { resumedBy } from './support/matrix/resumed-by.ts';
import { placeOf, requestOf, requestOfNothing, strayRequests } from './support/matrix/requests.ts';
import { seenBy } from './support/matrix/seen-by.ts';
import { watchedBy } from './support/matrix/watched-by.ts';
import { openStage, type Answered, type Asked, type Stage } from './support/matrix/stage.ts';
import {
  expectedAt,
  HIDDEN,
  isOfInvited,
  lineOf,
  readTables,
  type TableRow,
  type Where,
} from './support/matrix/table.ts';

const OURS =
  /^\/(?:communities|channels|posts|comments|feed|invites|search|users\/me\/(?:communities|notifications|notification-settings|read-states|saved)|users\/{\w+}\/(?:posts|comments|points))(?:\/|$)/;

const documentSchema = openApiSchema.extend({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

const errorSchema = z.object({ data: z.record(z.string(), z.unknown()).optional() });

const { requests: table, streams } = await readTables();

/** Every place whose visibility the table describes. */
export const EVERYWHERE: readonly Where[] = ['public', 'private', 'secret'];

/** Compares what routes answer and who is sent what with the table, for these places. */
export function accessMatrix(
  open: () => Promise<TestDatabase>,
  engine: 'sqlite' | 'postgres',
  places = EVERYWHERE,
): void {
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

  const targetAt = (where: Where, caller: Caller = 'owner') => {
    const place = cast.places[where === 'private' ? 'private' : 'public'];
    return { place, channel: where === 'secret' ? place.secret : place.open, caller };
  };

  test('every route about communities has a row', async () => {
    const { text } = await stage.ask('', { method: 'GET', path: '/openapi.json' });
    const { paths } = documentSchema.parse(JSON.parse(text));
    const routes = Object.entries(paths).flatMap(([path, operations]) =>
      OURS.test(path) ? Object.keys(operations).map((name) => `${name.toUpperCase()} ${path}`) : [],
    );
    expect([...new Set(table.map(({ route }) => route))].toSorted()).toEqual(routes.toSorted());
  });

  test.each(places)(
    '%s: every route answers every caller as the table says, and with nothing that they do not see',
    async (where) => {
      const [found, expected, leaks]: [string[], string[], unknown[]] = [[], [], []];
      for (const row of table.filter((each) => isAbout(each, where))) {
        const cells: string[] = [];
        for (const caller of CALLERS) {
          const request = requestOf(row, targetAt(where, caller));
          const answered = await stage.ask(cast.tokens[caller], request);
          cells.push(cellOf(answered, request));
          const secrets = isOfInvited(row) ? [] : secretsFrom(caller);
          const leaked = secrets.filter((secret) => answered.text.includes(secret));
          if (leaked.length > 0) leaks.push({ name: row.name, caller, leaked });
        }
        found.push(lineOf(row.name, cells));
        const wanted = CALLERS.map((caller) => expectedAt(where, caller, row));
        const written = wanted.map((cell) => (cell === HIDDEN ? '404' : cell));
        expected.push(lineOf(row.name, written));
      }
      expect(found).toEqual(expected);
      expect(leaks).toEqual([]);
    },
  );

  // The embedded engine locks nothing.
  if (engine === 'postgres') {
    test('[SC26] every route that changes something meets no deadlock if it is requested three times at once', async () => {
      const failed: unknown[] = [];
      for (const where of places) {
        for (const row of table) {
          if (row.route.startsWith('GET ') || !(isAbout(row, where) || placeOf(row) === 'none'))
            continue;
          const before = stage.database.deadlocks;
          const request = requestOf(row, targetAt(where));
          const answers = await Promise.all(
            ['one', 'two', 'three'].map((name) =>
              stage.ask(cast.tokens.owner, withSlug(request, `another-${name}`)),
            ),
          );
          const deadlocks = stage.database.deadlocks - before;
          const statuses = answers.map(({ status }) => status);
          if (deadlocks > 0 || Math.max(...statuses) >= 500)
            failed.push([row.name, deadlocks, statuses]);
        }
      }
      expect(failed).toEqual([]);
    });
  }

  test('[CO23] what is hidden is answered like what does not exist, after the same queries, which return as many rows', async () => {
    const differences: unknown[] = [];
    for (const where of places) {
      for (const row of table.filter((each) => isAbout(each, where))) {
        for (const caller of CALLERS) {
          if (expectedAt(where, caller, row) !== HIDDEN) continue;
          const hidden = requestOf(row, targetAt(where, caller));
          const absent = requestOfNothing(row, targetAt(where, caller));
          const token = cast.tokens[caller];
          // The code of an invite is none of what is hidden from those who have it.
          const asked = async (request: Asked) => {
            const answered = await stage.ask(token, request);
            return isOfInvited(row) ? withoutRows(answered) : answered;
          };
          const [one, other] = [await asked(hidden), await asked(absent)];
          if (!Bun.deepEquals(one, other))
            differences.push({ where, name: row.name, caller, one, other });
        }
      }
    }
    expect(differences).toEqual([]);
  });

  test.each(['public', 'private'] as const)(
    '%s: everyone follows and watches what the table says, and is sent nothing else',
    async (where) => {
      await using gateway = await stage.startGateway();
      const clients: AccountClient[] = [];
      for (const caller of CALLERS) {
        const token = cast.tokens[caller];
        clients.push(await AccountClient.enter(gateway, token === '' ? {} : { token }));
      }
      const place = cast.places[where];
      const found = await seenBy(clients, place, ({ stream, event }) =>
        stage.ctx.bus.publish({ stream, event }),
      );
      for (const client of clients) client[Symbol.dispose]();
      const written = streams.map((row) =>
        lineOf(
          row.name,
          CALLERS.map((caller) => {
            const [cell = '', inPrivate = cell] = row.cells[caller].split(' / ');
            return where === 'private' ? inPrivate : cell;
          }),
        ),
      );
      expect(found).toEqual(written);
    },
  );

  test('[GC6][GP9] who resumes a hidden stream by its name is answered as if it did not exist, and sent nothing of it', async () => {
    await using gateway = await stage.startGateway();
    const publish = ({ stream, event }: { stream: string; event: StreamEvent }) =>
      stage.ctx.bus.publish({ stream, event });
    const place = cast.places.private;
    const answers = await resumedBy({ gateway, cast, place, publish }, () =>
      stage.database.takeQueries(),
    );
    for (const caller of CALLERS) {
      const [hidden, absent] = answers[caller] ?? [];
      expect({ caller, ...hidden }).toEqual({ caller, ...absent });
      const ops = hidden?.payloads.map(
        (payload) => z.object({ op: z.string() }).parse(JSON.parse(payload)).op,
      );
      expect(ops?.toSorted()).toEqual(['HELLO', 'PONG', 'RESUMED']);
    }
  });

  test('[CO23] who watches what they do not see is answered as if it did not exist, after the same queries', async () => {
    await using gateway = await stage.startGateway();
    for (const place of Object.values(cast.places)) {
      const answers = await watchedBy({ gateway, cast, place }, () => stage.database.takeQueries());
      for (const [caller, hidden, absent] of answers) {
        expect({ caller, ...hidden }).toEqual({ caller, ...absent });
      }
    }
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
        const isRefused = requests.isMade ? status === 422 : status === 404;
        if (!isRefused || text !== absent.text) found.push({ name: row.name, status, text });
      }
    }
    expect(found).toEqual([]);
  });

  /** Texts that a caller must not be sent. */
  function secretsFrom(caller: Caller): readonly string[] {
    const { community, slug, name, open: channel } = cast.places.private;
    const ofPrivate = OUTSIDERS.includes(caller) ? [community, slug, name, channel] : [];
    const channels = Object.values(cast.places).flatMap(({ secret, secretPosts }) => [
      secret,
      secretPosts,
    ]);
    return [...ofPrivate, ...(UNSEEING.includes(caller) ? ['hush-hush', ...channels] : [])];
  }
}

/**
 * Returns the request, but if it makes a community, with a slug of its own: otherwise the first one would keep others
 * waiting.
 */
function withSlug(request: Asked, slug: string): Asked {
  const { method, path, body } = request;
  return `${method} ${path}` === 'POST /communities'
    ? { ...request, body: { ...Object(body), slug } }
    : request;
}

/** An answer, without how many rows the queries for it have returned. */
function withoutRows(answered: Answered): Answered {
  return {
    ...answered,
    queries: answered.queries.map((query) => query.replace(/ -- \d+ rows$/, '')),
  };
}

function isAbout(row: TableRow, where: Where): boolean {
  if (where === 'secret') return placeOf(row) === 'channel';
  return where === 'public' || placeOf(row) !== 'none';
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
