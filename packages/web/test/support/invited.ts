import { connect, memoryTokens, type Client } from '@hearth/sdk';
import type { TestBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import type { BrowserContextOptions } from 'playwright-core';
import { enAccount } from '../../src/text/en/account.ts';
import { control, PASSWORD } from './members.ts';
import { Someone } from './someone.ts';
import { WebInstance } from './web-instance.ts';

/** Somebody who has never been here, in a window of their own. */
export async function stranger(
  browser: TestBrowser,
  options?: BrowserContextOptions,
): Promise<Someone> {
  const someone = new Someone(await (options ? browser.visit(options) : browser.emptyVisit()));
  someone.visit.expectFaults(/status of (400|401|403|404|409|422)/);
  return someone;
}

/** Fills in the form with which somebody registers. */
export async function fillIn(
  { page }: Someone,
  username: string,
  texts = enAccount.register,
): Promise<void> {
  await control(page, texts.username).fill(username);
  await control(page, texts.email).fill(`${username}@lantern.example`);
  await page.getByLabel(texts.password, { exact: true }).fill(PASSWORD);
}

/** Takes a screenshot if SHOTS names a folder for them. */
export async function shot({ page }: Someone, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}

/** An instance with a community of ada's, and a new invite to it. */
export async function withGarden(toml: string): Promise<{
  readonly instance: WebInstance;
  readonly ada: Client;
  readonly invite: (uses?: number) => Promise<string>;
  readonly tools: string;
}> {
  const instance = await WebInstance.start({ toml: `${toml}\n${GENEROUS_LIMITS}` });
  const ada = await connect(instance.url, { tokens: memoryTokens(), author: 'ada' });
  const code = new URL(instance.ownerLink).hash.slice('#invite='.length);
  const own = { username: 'ada', email: 'ada@lantern.example', password: PASSWORD };
  await ada.register({ ...own, invite: code });
  const { id } = await ada.communities.create({
    ...{ name: 'Lantern Garden', slug: 'garden', visibility: 'private' },
  });
  const about = { kind: 'messages', name: 'tools' } as const;
  const { id: tools } = await ada.communities.channels.create(id, about);
  const invite = async (uses?: number) => {
    const made = { channel_id: tools, ...(uses !== undefined && { max_uses: uses }) };
    return (await ada.communities.invites.create(id, made)).code;
  };
  return { instance, ada, invite, tools };
}
