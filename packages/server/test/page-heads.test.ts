import { communityInviteSchema } from '@hearth/protocol/schemas';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  webAddressOf,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { webFolder } from '@hearth/testing/instances/web-folder';
import type { TempFolder } from '@hearth/testing/temp-folder';
import { afterAll, beforeAll, expect, test } from 'bun:test';

let folder: TempFolder;
let instance: TestInstance;
let ada: Awaited<ReturnType<typeof RestPerson.register>>;

beforeAll(async () => {
  folder = await webFolder();
  const toml = `registration = "open"\ninstance_name = "Lantern Street"\n${GENEROUS_LIMITS}`;
  instance = await startTestInstance({ toml, web: folder.path });
  ada = await RestPerson.register(instance, 'ada');
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const pageAt = async (path: string) => {
  const answer = await fetch(webAddressOf(instance) + path, { headers: { Accept: 'text/html' } });
  return [answer.status, await answer.text()] as const;
};

const titleIn = (page: string) => /<title>([^<]*)<\/title>/.exec(page)?.[1];

test('[WC140] programs that show a link read what a public community is', async () => {
  const { channels } = await ada.garden('open', {
    name: 'Open <garden>',
    description: 'For "all"',
    visibility: 'public',
  });
  for (const path of ['/c/open', '/c/OPEN', `/c/open/${channels[0]?.id}`, '/c/open/1/2']) {
    const [status, page] = await pageAt(path);
    expect([status, titleIn(page)]).toEqual([200, 'Open &#60;garden&#62; · Lantern Street']);
    expect(page).toContain('<meta property="og:description" content="For &#34;all&#34;" />');
    expect(page).not.toContain('noindex');
  }
});

test('[WC140] an unlisted community is not to be listed', async () => {
  await ada.garden('quiet', { name: 'Quiet', visibility: 'unlisted' });
  const [, page] = await pageAt('/c/quiet');
  expect(titleIn(page)).toBe('Quiet · Lantern Street');
  expect(page).toContain('<meta name="robots" content="noindex" />');
});

test('[WC140] the page of a private community is that of one that does not exist', async () => {
  await ada.garden('secret', { name: 'Secret', visibility: 'private' });
  expect(await pageAt('/c/secret')).toEqual(await pageAt('/c/nothing'));
});

test('[WC140] an invite says what it is for, and is not to be listed', async () => {
  const { id } = await ada.garden('invited', { name: 'Invited', visibility: 'private' });
  const { code } = await ada.ok(communityInviteSchema, 'POST', `/communities/${id}/invites`, {});
  const [, page] = await pageAt(`/invite/${code}`);
  expect(titleIn(page)).toBe('Invited · Lantern Street');
  expect(page).toContain('noindex');
  expect(await pageAt('/invite/nothing')).toEqual(await pageAt('/invite/another'));
});
