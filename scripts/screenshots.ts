/**
 * Takes the README's pictures of the web client: `bun run screenshots`. Needs Chromium and a font with emoji. It starts
 * an instance and fills it with a conversation between neighbours.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fakeClock, type FakeClock } from '@hearth/testing/fake-clock';
import { launchChromium } from '@hearth/testing/browser/chromium';
import { Someone } from '../packages/web/test/support/someone.ts';
import { Visit } from '@hearth/testing/browser/visit';
import { WebInstance } from '../packages/web/test/support/web-instance.ts';

const FOLDER = join(import.meta.dirname, '../docs/screenshots');
const MOST_BYTES = 300_000;
const ZONE = 'Europe/Berlin';
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };

const CODE = `Watering plan, for anyone who has the greenhouse key:

\`\`\`ts
const beds = ['herbs', 'figs', 'chard'];
const today = beds[new Date().getDate() % beds.length];
console.log(\`Water the \${today} today\`);
\`\`\``;

type Browser = Awaited<ReturnType<typeof launchChromium>>;

interface Said {
  readonly at: string;
  readonly by: string;
  readonly text: string;
  readonly hasPicture?: true;
}

const SAID: readonly Said[] = [
  {
    at: '2026-11-19T18:42:00+01:00',
    by: 'Mira',
    text: 'The oven is booked for Saturday. Dough goes in at **four**.',
  },
  {
    at: '2026-11-19T18:44:00+01:00',
    by: 'Jonas',
    text: "I'll bring the rye starter. It has a name now.",
  },
  { at: '2026-11-19T18:45:00+01:00', by: 'Mira', text: 'Of course it has.' },
  {
    at: '2026-11-20T08:15:00+01:00',
    by: 'Priya',
    text: 'Frost last night. The figs are wrapped, and the lemons live in my hallway 🍋',
  },
  { at: '2026-11-20T12:30:00+01:00', by: 'Samir', text: CODE },
  {
    at: '2026-11-20T12:34:00+01:00',
    by: 'Elif',
    text: 'A rota in TypeScript. We have become *that* street.',
  },
  {
    at: '2026-11-21T17:05:00+01:00',
    by: 'Elif',
    text: 'The lanterns are up!',
    hasPicture: true,
  },
  { at: '2026-11-21T17:09:00+01:00', by: 'Jonas', text: 'They look lovely from the bridge.' },
];

const NOW = '2026-11-21T17:12:00+01:00';
const OWN = 'Soup is on its way, enough for twelve. Is anybody allergic to celery?';
const ANSWERS: readonly Said[] = [
  { at: '2026-11-21T17:12:30+01:00', by: 'Priya', text: 'Samir is. He will deny it.' },
  { at: '2026-11-21T17:13:00+01:00', by: 'Samir', text: 'I deny it.' },
];

/** A street at dusk, with lanterns. */
const STREET = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 540" width="960" height="540">
<defs>
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="#26304f"/><stop offset=".6" stop-color="#8a5a6b"/><stop offset="1" stop-color="#e8a06a"/></linearGradient>
<radialGradient id="glow"><stop stop-color="#ffd98a" stop-opacity=".9"/><stop offset="1" stop-color="#ffd98a" stop-opacity="0"/></radialGradient>
</defs>
<rect width="960" height="540" fill="url(#sky)"/>
<path d="M0 360 130 300 250 350 400 280 560 350 720 290 960 360V540H0z" fill="#4d3f55"/>
<g fill="#2c2436"><path d="M30 250h150v290H30zM20 250l85-70 85 70zM200 290h130v250H200zM190 290l75-60 75 60zM640 270h140v270H640zM630 270l80-68 80 68zM800 235h150v305H800zM790 235l85-72 85 72z"/></g>
<g fill="#f3b463"><path d="M60 290h28v36H60zM120 290h28v36h-28zM60 370h28v36H60zM230 330h24v32h-24zM280 330h24v32h-24zM670 315h26v34h-26zM725 315h26v34h-26zM830 280h28v36h-28zM890 280h28v36h-28zM890 360h28v36h-28z"/></g>
<path d="M330 540 440 380h80l110 160z" fill="#3b3140"/>
<path d="M105 215Q290 330 480 300T875 200" fill="none" stroke="#191420" stroke-width="3"/>
<g><circle cx="200" cy="268" r="52" fill="url(#glow)"/><circle cx="330" cy="306" r="52" fill="url(#glow)"/><circle cx="480" cy="312" r="52" fill="url(#glow)"/><circle cx="620" cy="300" r="52" fill="url(#glow)"/><circle cx="755" cy="262" r="52" fill="url(#glow)"/></g>
<g fill="#ffe2a0" stroke="#a8572a" stroke-width="3"><rect x="190" y="256" width="20" height="28" rx="7"/><rect x="320" y="294" width="20" height="28" rx="7"/><rect x="470" y="300" width="20" height="28" rx="7"/><rect x="610" y="288" width="20" height="28" rx="7"/><rect x="745" y="250" width="20" height="28" rx="7"/></g>
</svg>`;

await takeAll();

async function takeAll(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await using browser = await launchChromium();
  const clock = fakeClock(Date.parse(SAID[0]?.at ?? NOW));
  await using instance = await WebInstance.start({ toml: '', clock });
  await fill(instance, { clock, picture: await paint(browser) });
  const visit = await Visit.begin(browser, {
    viewport: DESKTOP,
    deviceScaleFactor: 1.5,
    timezoneId: ZONE,
    reducedMotion: 'reduce',
  });
  await visit.page.clock.setFixedTime(NOW);
  const grace = await Someone.arrive(visit, instance);
  await grace.textBoxes.fill('Grace');
  await take(visit.page, 'welcome');
  await grace.textBoxes.press('Enter');
  await grace.waitUntilOnline();
  clock.halt(Date.parse(NOW) - clock.unixMs());
  await grace.say(OWN);
  await grace.reads(OWN);
  for (const said of ANSWERS) await sayAt(instance, clock, said);
  await grace.reads('I deny it.');
  await grace.log.locator('.picture-front').waitFor();
  await take(visit.page, 'desktop-light');
  await takeDark(grace);
  await visit.page.emulateMedia({ colorScheme: 'light' });
  await visit.page.setViewportSize(PHONE);
  await toTheEnd(grace);
  await take(visit.page, 'phone');
  const faults = visit.takeFaults();
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

async function takeDark(grace: Someone): Promise<void> {
  const { page } = grace;
  await page.emulateMedia({ colorScheme: 'dark' });
  const code = grace.log.locator('pre span').first();
  await grace.log.evaluate((log) => log.scrollBy(0, -365));
  await code.waitFor();
  await take(page, 'desktop-dark');
}

async function toTheEnd(someone: Someone): Promise<void> {
  await someone.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
  await someone.reads('I deny it.');
}

/** Posts the earlier messages, each at its time. */
async function fill(
  instance: WebInstance,
  { clock, picture }: { readonly clock: FakeClock; readonly picture: Buffer },
): Promise<void> {
  const address = await instance.store(picture, 'lanterns.png');
  for (const said of SAID) {
    const text = said.hasPicture === true ? `${said.text}\n${address}` : said.text;
    await sayAt(instance, clock, { ...said, text });
  }
}

async function sayAt(instance: WebInstance, clock: FakeClock, said: Said): Promise<void> {
  clock.halt(Date.parse(said.at) - clock.unixMs());
  await instance.post(said.text, said.by);
}

async function paint(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 960, height: 540 } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${STREET}`);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

async function take(page: Someone['page'], name: string): Promise<void> {
  const path = join(FOLDER, `${name}.png`);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  const { size } = statSync(path);
  process.stdout.write(`${path}: ${size} bytes\n`);
  if (size > MOST_BYTES) throw new Error(`${name} is too large`);
}
