import { RestPerson } from '@hearth/testing/clients/rest-person';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { upload } from '@hearth/testing/clients/upload-form';
import { freePorts } from '@hearth/testing/free-ports';
import { atWebPort } from '@hearth/testing/instances/at-web-port';
import { startMemberProcess, type MemberProcess } from '@hearth/testing/instances/member-process';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { PAGE_TEXT, SCRIPT, SCRIPT_TEXT, webFolder } from '@hearth/testing/instances/web-folder';
import { queryPostgres } from '@hearth/testing/servers/query-postgres';
import {
  areServersMissing,
  sharedServers,
  type SharedEnvironment,
} from '@hearth/testing/servers/shared-servers';
import { tempFolder } from '@hearth/testing/temp-folder';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { caddyProgram, startCaddy } from './support/caddy.ts';

const caddy = caddyProgram() ?? '';

const NEXT = 'assets/main-9z8y7x6w.js';

describe.skipIf(caddy === '' || areServersMissing)(
  'a REST service, a gateway, a file service and the web client as processes of their own, with the Caddyfile in front',
  () => {
    const resources = new AsyncDisposableStack();
    let site: string;
    let environment: SharedEnvironment;
    let web: MemberProcess;
    /** The address of the web client. */
    let page: string;
    let ada: RestPerson;
    let startWeb: (folder: string) => Promise<MemberProcess>;

    beforeAll(async () => {
      const servers = resources.use(await sharedServers());
      environment = await servers.newInstance();
      const [sitePort, rest, gateway, files, webPort] = await freePorts(5);
      site = `http://127.0.0.1:${sitePort}`;
      const toml = `registration = "open"\npublic_url = "${site}"\n${GENEROUS_LIMITS}`;
      const data = resources.use(await tempFolder());
      const start = (component: string, port: object, folder = '') =>
        startMemberProcess(
          { ...environment, ...port, COMPONENTS: component, DATA_DIR: data.path },
          toml,
          folder,
        );
      const named = new URL(environment.DATABASE_URL);
      named.searchParams.set('application_name', 'page');
      startWeb = (folder) =>
        start('web', { WEB_PORT: String(webPort), DATABASE_URL: named.href }, folder);
      const folder = resources.use(await webFolder());
      const started = await Promise.all([
        startWeb(folder.path),
        start('rest', { OPRISH_PORT: String(rest) }),
        start('gateway', { PANDEMONIUM_PORT: String(gateway) }),
        start('files', { EFFIS_PORT: String(files) }),
      ]);
      [web] = started;
      for (const each of started) resources.use(each);
      page = `http://127.0.0.1:${webPort}`;
      const at = (port: number | undefined) => `127.0.0.1:${port}`;
      const addresses = {
        REST: at(rest),
        GATEWAY: at(gateway),
        FILES: at(files),
        WEB: at(webPort),
      };
      resources.use(await startCaddy(caddy, { SITE: site, ...addresses }));
      ada = await RestPerson.register({ addresses: atWebPort(site) }, 'ada');
    });
    afterAll(async () => {
      await web?.[Symbol.asyncDispose]();
      await resources.disposeAsync();
    });

    const ask = (path: string) => fetch(site + path, { headers: { Accept: 'text/html' } });
    const textOf = async (path: string) => (await ask(path)).text();
    /** Returns what a page says, which it comes without if that takes more than half a second. */
    const contentOf = async (path: string) => {
      let text = '';
      await until(async () => {
        text = await textOf(path);
        return text.includes('<main class="plain">');
      });
      return text;
    };
    const garden = async (slug: string, input: object = {}) => {
      const of = { kind: 'posts', visibility: 'public', ...input } as const;
      const { id, channels } = await ada.garden(slug, of);
      const channel = channels[0]?.id ?? '';
      const post = await posted(channel, {
        title: `Tulips of ${slug}`,
        content: 'They are *red*.',
      });
      return { id, channel, post };
    };
    const send = async (method: string, path: string, body?: object): Promise<string> => {
      const answer = await ada.ask(method, path, body);
      expect([method, path, answer.ok]).toEqual([method, path, true]);
      const { id }: { id: string } = await answer.json();
      return id;
    };
    const posted = (channel: string, post: object) =>
      send('POST', `/channels/${channel}/posts`, post);

    test('[SC37] feeds, the sitemap and pages for readers without scripts have what is public, as it is now', async () => {
      const { channel, post } = await garden('tulips');
      const page = `/c/tulips/p/${post}/x`;
      await send('POST', `/posts/${post}/comments`, { content: 'Sage too' });
      expect(await contentOf(page)).toContain('They are <em>red</em>.');
      expect(await contentOf(page)).toContain('Sage too');
      for (const feed of [
        '/c/tulips.rss',
        '/c/tulips.atom',
        `/c/tulips/${channel}.rss`,
        '/u/ada.rss',
      ]) {
        expect(await textOf(feed)).toContain(`${site}/c/tulips/p/${post}/`);
      }
      expect(await textOf('/sitemap.xml')).toContain(`${site}/c/tulips/p/${post}/`);
      expect(await textOf('/robots.txt')).toContain(`Sitemap: ${site}/sitemap.xml`);
      await send('PATCH', `/posts/${post}`, { title: 'Lilies' });
      expect(await contentOf(page)).toContain('Lilies');
      expect(await textOf('/c/tulips.rss')).toContain('Lilies');
      await send('DELETE', `/posts/${post}`);
      for (const path of [page, '/c/tulips.rss', '/sitemap.xml']) {
        expect(await textOf(path)).not.toMatch(/Lilies|lilies|tulips-of/);
      }
    });

    test('[SC37][SY2] what is hidden stays hidden', async () => {
      const secret = await garden('secret', { visibility: 'private' });
      const open = await garden('opened');
      const hidden = await posted(open.channel, { title: 'Bulbs' });
      const feeds = ['/c/opened.rss', `/c/opened/${open.channel}.rss`];
      const page = `/c/opened/p/${hidden}/x`;
      for (const path of feeds) expect(await textOf(path)).toContain('Bulbs');
      expect(await contentOf(page)).toContain('Bulbs');
      await send('PUT', `/channels/${open.channel}/overwrites/${open.id}`, {
        ...{ kind: 'role', allow: [], deny: ['VIEW'] },
      });
      const shown = /Bulbs|bulbs|Tulips of opened/;
      // A process hears of changed permissions some milliseconds later.
      await until(async () => !shown.test(await textOf('/c/opened.rss')));
      for (const path of [...feeds, page, '/c/opened', '/u/ada.rss', '/u/ada', '/sitemap.xml']) {
        expect(await textOf(path)).not.toMatch(shown);
      }
      expect((await ask('/c/secret.rss')).status).toBe(404);
      for (const path of [
        '/c/secret',
        `/c/secret/p/${secret.post}/x`,
        '/u/ada.rss',
        '/sitemap.xml',
      ]) {
        expect(await textOf(path)).not.toMatch(/Tulips of secret|\/c\/secret/);
      }
    });

    test('[SC37][WC344] files of the build before are served after an update', async () => {
      expect(await textOf(`/${SCRIPT}`)).toBe(SCRIPT_TEXT);
      await web.kill();
      await using after = await webFolder({
        'index.html': PAGE_TEXT.replace(SCRIPT, NEXT),
        [SCRIPT]: undefined,
        [`${SCRIPT}.br`]: undefined,
        [`${SCRIPT}.gz`]: undefined,
        [NEXT]: 'console.log("next")',
      });
      web = await startWeb(after.path);
      expect(await textOf('/')).toContain(NEXT);
      expect(await textOf(`/${NEXT}`)).toBe('console.log("next")');
      expect(await textOf(`/${SCRIPT}`)).toBe(SCRIPT_TEXT);
    });

    test('[SC37] the other services answer at the same address', async () => {
      const client = await GatewayClient.connect(`${site.replace('http', 'ws')}/gateway?v=1`);
      await client.until(() => client.received.length > 0);
      client.close();
      const { id } = await upload(`${site}/files`, 'content');
      expect(await textOf(`/files/${id}`)).toBe('content');
      expect(await textOf('/')).toContain(`"oprish_url":"${site}/api"`);
    });

    test('[SC36] the process with the web client has few connections to the database, however many ask it', async () => {
      const { post } = await garden('asked');
      const asked = Array.from({ length: 400 }, async (_, at) => {
        const headers = { 'X-Forwarded-For': `192.0.2.${at % 250}` };
        const answer = await fetch(`${page}/c/asked/p/${post}/${at}`, { headers });
        await answer.text();
        return answer.status;
      });
      expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
      const connections = await queryPostgres(
        environment.DATABASE_URL,
        "select 1 from pg_stat_activity where datname = current_database() and application_name = 'page'",
      );
      // Two of them claim the database and hear of changes.
      expect(connections.length).toBeLessThanOrEqual(6);
      expect(connections.length).toBeGreaterThan(2);
    });
  },
);
