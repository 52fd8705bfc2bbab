/**
 * Takes the pictures of the web client in docs/screenshots: `bun run screenshots`, or `bun run screenshots communities` or
 * `posts` for those alone. Needs Chromium and a font with emoji. It starts an instance and fills it with a conversation
 * between neighbours.
 */
import { mkdirSync } from 'node:fs';
import { fakeClock } from '@hearth/testing/fake-clock';
import { launchChromium } from '@hearth/testing/browser/chromium';
import { Visit } from '@hearth/testing/browser/visit';
import { Someone } from '../packages/web/test/support/someone.ts';
import { WebInstance } from '../packages/web/test/support/web-instance.ts';
import { en } from '../packages/web/src/text/en.ts';
import { takeAccounts } from './screenshots/accounts.ts';
import { FOLDER, take } from './screenshots/camera.ts';
import { takeCommunities } from './screenshots/communities.ts';
import { drawnFiles } from './screenshots/files.ts';
import { takeModerated } from './screenshots/moderated.ts';
import { takePosts } from './screenshots/posts.ts';
import { Talkers } from './screenshots/talkers.ts';
import { ANSWERS, BEFORE, FILES, MEANWHILE, NOW, OWN } from './screenshots/talk.ts';
import { takeViews } from './screenshots/views.ts';

/** The address that clients are given. */
const SETTINGS = `public_url = "https://lantern.example"
registration = "open"
[oprish.rate_limits]
message_list = { reset_after = 5, limit = 1000 }
[pandemonium]
rate_limit = { reset_after = 10, limit = 1000 }
`;
/** The number of others who are connected. */
const OTHERS = 6;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };
/** The parts that can be taken alone. */
const PARTS = [
  ['communities', takeCommunities],
  ['posts', takePosts],
] as const;

await takeAll();

async function takeAll(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await using browser = await launchChromium();
  for (const [name, takeThem] of PARTS) {
    if (process.argv.includes(name)) return await takeThem(browser, await drawnFiles(browser));
  }
  const clock = fakeClock(Date.parse(BEFORE[0]?.at ?? NOW));
  await using instance = await WebInstance.start({ toml: SETTINGS, clock });
  const files = await drawnFiles(browser);
  const talkers = new Talkers(instance, clock, files);
  await talkers.say(BEFORE);
  const visit = await Visit.begin(browser, {
    viewport: DESKTOP,
    deviceScaleFactor: 1.5,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  const { page } = visit;
  await page.clock.setFixedTime(BEFORE.at(-1)?.at ?? NOW);
  const grace = await Someone.arrive(visit, instance);
  await grace.textBoxes.fill('Grace');
  await take(page, 'welcome');
  await grace.textBoxes.press('Enter');
  await grace.waitUntilOnline();
  await grace.reads('Of course it has.');
  await grace.log.locator('pre span').first().waitFor();
  await beAway(grace, async () => {
    await talkers.say(MEANWHILE);
    await page.clock.setFixedTime(NOW);
    talkers.passTo(NOW);
    await talkers.connect(OTHERS);
  });
  await takeTalk(grace, talkers);
  const portrait = files.get('greenhouse.png') ?? new Uint8Array();
  await takeAccounts({ grace, instance, clock, portrait });
  // What Chromium prints if the instance refuses the page.
  visit.expectFaults(/status of 403/);
  await takeModerated(grace, instance, clock);
  const faults = visit.takeFaults();
  if (faults.length > 0) throw new Error(faults.join('\n'));
  for (const [, takeThem] of PARTS) await takeThem(browser, files);
}

/** Lets something happen while the page is closed. */
async function beAway({ page }: Someone, happen: () => Promise<void>): Promise<void> {
  const url = page.url();
  await page.goto('about:blank');
  await happen();
  await page.goto(url);
}

async function showEnd({ page, log }: Someone): Promise<void> {
  await page.mouse.move(0, 0);
  await log.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await log.locator('.message').last().waitFor();
}

/** Connects the others again: time has passed, and they have been silent. */
async function gather({ page }: Someone, talkers: Talkers): Promise<void> {
  await talkers.connect(OTHERS);
  const people = page.locator('.people');
  await people.getByText(String(OTHERS + 1), { exact: true }).waitFor();
}

/** The pictures of the conversation itself. */
async function takeTalk(grace: Someone, talkers: Talkers): Promise<void> {
  const { page } = grace;
  const bar = grace.button(/^\d+ new messages since/);
  await bar.waitFor();
  await grace.log.locator('.picture-front').last().waitFor();
  await take(page, 'new-messages');
  await bar.click();
  await page.locator('.new-line').waitFor();
  await page.mouse.move(0, 0);
  await take(page, 'conversation');
  await grace.log
    .locator('.attachments[data-many]')
    .evaluate((album) => album.scrollIntoView({ block: 'center' }));
  await page.mouse.move(0, 0);
  await take(page, 'album');
  await grace.button(en.conversation.jumpToNewest).click();
  await grace.say(OWN);
  await grace.reads(OWN);
  await talkers.say(ANSWERS);
  await gather(grace, talkers);
  await grace.reads('I deny it.');
  await showEnd(grace);
  await grace.log.locator('.picture-front').last().waitFor();
  await take(page, 'desktop-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await take(page, 'desktop-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
  await showEnd(grace);
  await take(page, 'phone');
  await page.setViewportSize(DESKTOP);
  await takeViews(grace);
  await talkers.say(FILES);
  await gather(grace, talkers);
  await grace.log.locator('.text-file pre span').first().waitFor();
  await showEnd(grace);
  await page.mouse.move(0, 0);
  await take(page, 'files');
  await page.setViewportSize(PHONE);
  await showEnd(grace);
  await take(page, 'phone-files');
  await page.setViewportSize(DESKTOP);
}
