import { CHEAP_PASSWORDS } from '@hearth/testing/instances/cheap-passwords';
import { named } from '@hearth/testing/instances/named';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { deployment, GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { countedIds } from '@hearth/testing/ports/id-source';
import { trialDatabase, type TrialDatabase } from '@hearth/testing/ports/trial-database';
import type { TestDatabase } from '@hearth/testing/servers/each-database';
import { tempFolder } from '@hearth/testing/temp-folder';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { restService } from '../../../src/components/rest/rest.ts';
import { startComponents } from '../../../src/components/start-components.ts';
import { componentAddresses } from '../../../src/config/component-addresses.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { TokenCheck } from '../../../src/features/accounts/sessions/token-check.ts';
import type { HttpService } from '../../../src/http/http-service.ts';
import type { InstanceContext } from '../../../src/instance-context.ts';
import { ownerOutbox } from '../../../src/ports/outbox/outbox.ts';
import type { Peer } from '../../../src/runtime/peer.ts';
import { withLists } from '../../../src/lists/lists.ts';
import { openState } from '../../../src/state.ts';

/** The REST service of an instance, without a port, on a database whose queries are noted. */
export interface Stage extends AsyncDisposable {
  readonly ctx: InstanceContext;
  readonly database: TrialDatabase;
  /** Sends a request; without an account if the token is empty. */
  ask(token: string, request: Asked): Promise<Answered>;
  /** Starts a gateway on a port of its own, beside the service. */
  startGateway(): Promise<AsyncDisposable & Pick<InstanceContext, 'addresses'>>;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** An answer, and what the database was asked for it. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly queries: readonly string[];
}

const PEER: Peer = {
  address: '192.0.2.1',
  isCrowded: false,
  allowSilence() {},
  beginTransfer: () => true,
};

/** Headers that differ from one request to the next. */
const CHANGING = /^(?:x-ratelimit-.*|date)$/;

/** Opens the service on a database. */
export async function openStage(open: () => Promise<TestDatabase>): Promise<Stage> {
  await using resources = new AsyncDisposableStack();
  const tables = resources.use(await open());
  const folder = resources.use(await tempFolder());
  const toml = named(`registration = "open"\n${GENEROUS_LIMITS}`);
  await writeFile(join(folder.path, 'instance.toml'), toml);
  const owner = resources.use(await openTestContext({ folder: folder.path }));
  const { config } = await loadConfig({
    env: await deployment(),
    workingDir: folder.path,
    writeMissingFile: false,
  });
  const trial = trialDatabase(tables);
  const database = ownerOutbox(trial);
  const state = openState({ ...owner, database, resources, passwords: CHEAP_PASSWORDS });
  const ctx: InstanceContext = withLists({
    ...owner,
    ...state,
    authentication: new TokenCheck({ ...owner, ...state, database }),
    // To send totals later asks the database at any time, also during another request.
    scores: { note: () => {} },
    ids: countedIds(),
    database,
  });
  const service = restService(ctx);
  const owned = resources.move();
  return {
    ctx,
    database: trial,
    ask: (token, asked) => ask({ service, trial }, token, asked),
    async startGateway() {
      const addresses = componentAddresses(config);
      const plan = { ...config.deployment, components: ['gateway'] } as const;
      const started = await startComponents({ ...ctx, addresses }, { deployment: plan });
      return { addresses, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function ask(
  { service, trial }: { readonly service: HttpService; readonly trial: TrialDatabase },
  token: string,
  { method, path, body }: Asked,
): Promise<Answered> {
  const request = new Request(`http://hearth.example${path}`, {
    method,
    headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  trial.takeQueries();
  const [bare = path] = path.split('?');
  const caller = { client: PEER.address, basePath: '', peer: PEER };
  const answer = await service.find(method, bare)(request, caller);
  const text = await answer.text();
  const headers = Array.from(answer.headers).filter(([name]) => !CHANGING.test(name));
  return {
    status: answer.status,
    text,
    headers: Object.fromEntries(headers),
    queries: trial.takeQueries(),
  };
}
