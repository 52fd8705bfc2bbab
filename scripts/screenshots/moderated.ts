import type { FakeClock } from '@hearth/testing/fake-clock';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { OWNER } from '../../packages/server/src/actor.ts';
import { banClients, unban } from '../../packages/server/src/features/accounts/moderation/bans.ts';
import { parseClientRange } from '../../packages/server/src/client-range.ts';
import {
  pause,
  setAccessCode,
} from '../../packages/server/src/features/accounts/moderation/owner-restrictions.ts';
import { en } from '../../packages/web/src/text/en.ts';
import type { Someone } from '../../packages/web/test/support/someone.ts';
import type { WebInstance } from '../../packages/web/test/support/web-instance.ts';
import { take } from './camera.ts';

const ME = '127.0.0.1';

/** The pictures of what the owner has restricted. */
export async function takeModerated(
  grace: Someone,
  instance: WebInstance,
  clock: FakeClock,
): Promise<void> {
  const { page } = grace;
  const hour = 3_600_000;
  const banner = page.locator('.banner-warning');
  const seen = (what: Promise<void>) => meanwhile(clock, what);
  const term = { until: clock.unixMs() + hour, reason: 'we are all at the oven' };
  await asOwner(instance, (ctx) => pause(ctx, OWNER, { what: ['posting'], term }));
  await seen(banner.waitFor());
  await take(page, 'paused');
  const ban = { reason: 'please cool down' };
  await asOwner(instance, async (ctx) => {
    const range = parseClientRange(ME);
    if (range !== undefined) await banClients(ctx, OWNER, { range, term: ban });
  });
  await seen(banner.getByText('banned').waitFor());
  await take(page, 'banned');
  await asOwner(instance, (ctx) => unban(ctx, OWNER, ME));
  await asOwner(instance, (ctx) => setAccessCode(ctx, OWNER, 'k7mw-p3xd-9qht'));
  await seen(
    (async () => {
      while (!(await (await fetch(instance.url)).text()).includes('access_code'));
    })(),
  );
  await page.reload();
  const box = page.getByRole('textbox', { name: en.shell.accessCode.label });
  await box.waitFor();
  await box.fill('k7mw-p3');
  await take(page, 'access-code');
}

/** Lets the instance's time pass until something has happened. */
async function meanwhile(clock: FakeClock, happening: Promise<void>): Promise<void> {
  let isOver = false;
  void happening.finally(() => void (isOver = true)).catch(() => {});
  while (!isOver) {
    clock.advance(100);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await happening;
}
