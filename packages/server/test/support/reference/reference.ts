/** Makes the reference for people who write clients: every page of docs/api that is generated. */
import { NOUN_NAMES, NOUNS, nounOfTag } from '@hearth/protocol/descriptions';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FILE_ROUTES } from '../../../src/components/files/files.ts';
import { restRoutes } from '../../../src/components/rest/rest.ts';
import { parseInstanceFile } from '../../../src/config/instance-file.ts';
import { withOpenApi } from '../../../src/http/openapi.ts';
import type { Answered } from './answered.ts';
import { nounPage } from './noun-page.ts';
import { recordAll } from './record.ts';
import { errorsPage, eventsPage, featuresPage, limitsPage, permissionsPage } from './tables.ts';

const root = resolve(import.meta.dirname, '../../../../..');

/** The text of each page, by its path within the repository. */
export async function makeReference(): Promise<ReadonlyMap<string, string>> {
  const routes = await answeredRoutes();
  const pages = [
    ...NOUN_NAMES.map((noun) => [noun, nounPage(noun, routes)] as const),
    ['errors', errorsPage()],
    ['permissions', permissionsPage()],
    ['limits', limitsPage()],
    ['events', eventsPage()],
    ['features', featuresPage()],
  ] as const;
  return new Map([
    ['docs/api/README.md', `${indexPage()}\n`],
    ...pages.map(([name, text]) => [`docs/api/${name}.md`, `${text}\n`] as const),
  ]);
}

/** Chapters that are written by hand, by the names of their files. */
export const CHAPTERS = {
  client: 'The life of a client: sign in, connect, read a page, post, mark as read, resume',
  paging: 'Lists, and how to read on',
  nonces: 'Requests that may be repeated',
  versions: 'Versions, profiles and capabilities',
} as const;

function indexPage(): string {
  const chapters = Object.entries(CHAPTERS).map(
    ([name, text]) => `| [${name}.md](${name}.md) | ${text} |`,
  );
  const nouns = NOUN_NAMES.map((name) => `| [${name}.md](${name}.md) | ${NOUNS[name].title} |`);
  return [
    '# Reference for client authors',
    'Everything that a client of a Hearth instance sends and is sent. `bun run api` writes these pages, except the chapters, from the routes, the schemas and the answers of a real instance. `GET /openapi.json` of an instance has the same as an OpenAPI document, and `packages/protocol/wire.json` as JSON Schema.',
    'Every request is HTTP, with JSON in its body and in its answer; its Content-Type does not matter. A token goes into `Authorization: Bearer <token>`. In the examples, `https://api.example.org` is the REST service and `https://files.example.org` the file service. Ids, times, keys and tokens are placeholders: the same id has the same name throughout an example, and a second one of the same kind a number. Lists of objects and long lists of names are shortened to two entries.',
    ['| Chapter | Topic |', '|---|---|', ...chapters].join('\n'),
    ['| Page | Topic |', '|---|---|', ...nouns].join('\n'),
    [
      '| Table | Topic |',
      '|---|---|',
      '| [errors.md](errors.md) | every error, with its codes |',
      '| [permissions.md](permissions.md) | every permission, and what everyone has in a new community |',
      '| [limits.md](limits.md) | every limit, with its default |',
      '| [events.md](events.md) | every event, and to whom it is sent |',
      '| [features.md](features.md) | every feature that an instance may list |',
      '| [cases/access.md](../spec/cases/access.md) | which route answers whom what |',
    ].join('\n'),
    '## The access code',
    'An owner may set an access code, and give it to people. Then `access_code` of the [capabilities](instance.md#capabilities) is true, and most requests without it in the header `X-Access-Code` are refused with the error code `access_code`. For the gateway, a client offers two WebSocket subprotocols: `hearth`, which is accepted, and `hearth.access.` followed by the code in base64url without padding.',
    'The [specification](../spec/README.md) has every rule, numbered, each with a test.',
  ].join('\n\n');
}

async function answeredRoutes(): Promise<readonly Answered[]> {
  const recordings = await recordAll();
  const callers = await callersByRoute();
  const parsed = parseInstanceFile('instance_name = "Hearth"', 'instance.toml');
  if (parsed.state === 'mistaken') throw new Error(parsed.mistakes.join());
  const info = { title: '', url: '', limit: 'read' } as const;
  const services = {
    rest: withOpenApi(restRoutes(parsed.settings), info),
    files: FILE_ROUTES as unknown as ReturnType<typeof restRoutes>,
  };
  return (['rest', 'files'] as const).flatMap((service) =>
    services[service]
      .filter(({ isHidden }) => isHidden !== true)
      .map((route) => {
        if (nounOfTag(route.tag) === undefined) throw new Error(`describe the tag ${route.tag}`);
        const recording = recordings.get(`${service} ${route.name}`);
        if (recording?.example === undefined)
          throw new Error(`${route.name} needs a request that succeeds`);
        const name = `${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`;
        return { service, route, recording, callers: callers.get(name) ?? [] };
      }),
  );
}

/** Lines about what each route about communities answers to whom, from the table of cases. */
async function callersByRoute(): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await readFile(resolve(root, 'docs/spec/cases/access.md'), 'utf8');
  const [table = ''] = text.split('Who follows which');
  const [head = [], , ...rows] = [...table.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  );
  const lines = new Map<string, readonly string[]>();
  for (const [request = '', ...cells] of rows) {
    const [, route = '', more = ''] = /^`(\w+ \S+) ?([^`]*)`/.exec(request) ?? [];
    const answers = Map.groupBy(head.slice(1), (_, at) => cells[at] ?? '');
    const parts = [...answers].map(
      ([answer, who]) => `${answers.size === 1 ? 'everyone' : who.join(', ')}: ${answer}`,
    );
    const about = more === '' ? '' : ` (${more})`;
    const line = `[In a public community](../spec/cases/access.md)${about}: ${parts.join('; ')}.`;
    lines.set(route, [...(lines.get(route) ?? []), line]);
  }
  return lines;
}
