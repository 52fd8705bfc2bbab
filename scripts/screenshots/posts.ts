import { fakeClock } from '@hearth/testing/fake-clock';
import type { launchChromium } from '@hearth/testing/browser/chromium';
import { Visit } from '@hearth/testing/browser/visit';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { en } from '../../packages/web/src/text/en.ts';
import { enPosts as words } from '../../packages/web/src/text/en/posts.ts';
import { signInAs } from '../../packages/web/test/support/members.ts';
import { Someone } from '../../packages/web/test/support/someone.ts';
import { WebInstance } from '../../packages/web/test/support/web-instance.ts';
import { take } from './camera.ts';
import { NOW } from './talk.ts';
import { writePosts } from './written-posts.ts';

type Browser = Awaited<ReturnType<typeof launchChromium>>;

const SETTINGS = `public_url = "https://lantern.example"\nregistration = "open"\n${GENEROUS_LIMITS}`;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };

/** The pictures of posts: a list in both looks, what was searched, a post with its comments, and writing one. */
export async function takePosts(
  browser: Browser,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const clock = fakeClock(Date.parse(NOW) - 3 * 3_600_000);
  await using instance = await WebInstance.start({ toml: SETTINGS, clock });
  const { grace: client, channel, question } = await writePosts({ instance, clock, files });
  clock.halt(Date.parse(NOW) - clock.unixMs());
  await using visit = await Visit.begin(browser, {
    viewport: DESKTOP,
    deviceScaleFactor: 1.5,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  visit.expectFaults(/status of (401|404)/);
  const { page } = visit;
  await page.clock.setFixedTime(NOW);
  const grace = new Someone(visit);
  const go = async (path: string) => {
    await page.goto(new URL(path, instance.url).href);
  };
  await go('sign-in');
  await signInAs(grace, 'grace');
  await go(`c/garden/${channel}`);
  await page.locator('[data-post] img').first().waitFor();
  await takeBoth(grace, 'posts');
  await grace.button(words.looks.lines).click();
  await page.locator('[data-post][data-look=lines]').first().waitFor();
  await takeBoth(grace, 'posts-lines');
  await grace.button(words.looks.cards).click();
  await grace.button(en.reading.openSearch).click();
  await page.getByRole('searchbox').fill('wall');
  await page.locator('mark').first().waitFor();
  await takeBoth(grace, 'posts-search');
  await page.keyboard.press('Escape');
  await go(`c/garden/p/${question}`);
  await page.getByText('This one is older than the house.').waitFor();
  await takeBoth(grace, 'post');
  await go(`c/garden/${channel}`);
  await grace.button(words.newPost).click();
  await page.getByRole('textbox', { name: words.title, exact: true }).fill('Is the ladder back?');
  await takeBoth(grace, 'post-new');
  const faults = visit.takeFaults();
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await client.close();
}

/** Takes a view on a wide page, and on a phone in the dark. */
async function takeBoth({ page }: Someone, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await take(page, name);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-theme=dark]').waitFor();
  await take(page, `phone-${name}`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESKTOP);
  await page.locator('html[data-theme=light]').waitFor();
}
