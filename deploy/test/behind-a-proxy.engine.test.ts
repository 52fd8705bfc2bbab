import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { limitHeaders } from '@hearth/testing/clients/limited-client';
import { postMessage } from '@hearth/testing/clients/post-message';
import { upload } from '@hearth/testing/clients/upload-form';
import { freePorts } from '@hearth/testing/free-ports';
import { atWebPort } from '@hearth/testing/instances/at-web-port';
import { startTestInstance, webAddressOf } from '@hearth/testing/instances/test-instance';
import { webFolder } from '@hearth/testing/instances/web-folder';
import { tempFolder } from '@hearth/testing/temp-folder';
import { ROOT } from './support/built-image.ts';
import { caddyProgram, startCaddy } from './support/caddy.ts';

const program = caddyProgram() ?? '';
const text = readFileSync(join(ROOT, 'docs/operate/behind-a-proxy.md'), 'utf8');

/** The first block of code in the document that is marked as `language`, or not marked. */
function blockOf(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? '';
}

describe.skipIf(program === '')('docs/operate/behind-a-proxy.md', () => {
  test('[OA2] the page shows a Caddyfile with which everything works at one address', async () => {
    await using web = await webFolder();
    await using folder = await tempFolder();
    const [port] = await freePorts(1);
    const site = `http://127.0.0.1:${port}`;
    const name = 'https://chat.example.org';
    const toml = blockOf('toml').replace(name, site);
    const [variable = '', value = ''] = blockOf('').trim().split('=');
    await using instance = await startTestInstance({
      toml,
      env: { [variable]: value },
      web: web.path,
    });
    const config = blockOf('caddyfile')
      .replace(name.slice('https://'.length), site)
      .replace('127.0.0.1:7162', new URL(webAddressOf(instance)).host);
    const path = join(folder.path, 'Caddyfile');
    // The port of Caddy's own interface would be the same in every test.
    await writeFile(path, `{\n\tadmin off\n}\n${config}`);
    await using _caddy = await startCaddy(program, { SITE: site }, path);

    const addresses = atWebPort(site);
    const info = await fetch(addresses.rest, { headers: { 'X-Real-IP': '192.0.2.1' } });
    expect(await info.json()).toMatchObject({
      oprish_url: addresses.rest,
      pandemonium_url: addresses.gateway,
      effis_url: addresses.files,
    });
    const headers = { 'X-Real-IP': '192.0.2.2', 'CF-Connecting-IP': '192.0.2.3' };
    const again = await fetch(addresses.rest, { headers });
    expect(limitHeaders(again).requestCount).toBe(2);
    const client = await GatewayClient.connect(addresses.gateway);
    await postMessage({ addresses }, 'through the proxy');
    await client.until(() => client.received.some((each) => each.includes('through the proxy')));
    client.close();
    const { id } = await upload(addresses.files, 'content');
    expect(await (await fetch(`${addresses.files}/${id}`)).text()).toBe('content');
    expect(await (await fetch(site)).text()).toContain('own-services');
  });
});
