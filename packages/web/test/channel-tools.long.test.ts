import { expect } from 'bun:test';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { lookAt, type Faults } from './support/faults.ts';
import { registerElsewhere, signInAs } from './support/members.ts';
import { Someone } from './support/someone.ts';
import { tryTools } from './support/try-tools.ts';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();

browserTest(
  '[WC170][WC171][WC172][WC173][WC174][WC175][WC177][WC180] moderators pin, look back, choose and delete, nobody mentions many by accident, and no view has faults',
  async () => {
    await using instance = await WebInstance.start({
      toml: `registration = "open"\n${GENEROUS_LIMITS}`,
    });
    const owner = await registerElsewhere(instance, 'ada');
    const henry = await registerElsewhere(instance, 'henry');
    await registerElsewhere(instance, 'grace');
    const made = await owner.communities.create({
      name: 'Lantern Garden',
      slug: 'garden',
      visibility: 'public',
    });
    const [first] = made.channels;
    if (first === undefined) throw new TypeError('there is no channel');
    const { channels } = owner.communities;
    const { id: tools } = await channels.create(made.id, { kind: 'messages', name: 'tools' });
    await henry.communities.join(made.id);
    const enter = async (username: string, path: string): Promise<Someone> => {
      const someone = new Someone(await browser.visit());
      someone.visit.expectFaults(/status of (401|404)/);
      await someone.page.goto(new URL('sign-in', instance.url).href);
      await signInAs(someone, username);
      await someone.page.goto(new URL(path, instance.url).href);
      await someone.log.waitFor();
      return someone;
    };
    const found: Faults = {};
    await tryTools({ owner, community: made.id, general: first.id, tools, enter }, (page, view) =>
      lookAt(page, view, found),
    );
    expect(found).toEqual({});
  },
);
