import { render } from 'preact';
import { Accounts } from './account/accounts.ts';
import { Settings } from './settings/settings.ts';
import { browserKeptStorage } from './lib/kept-storage.ts';
import { LazyViews } from './lib/views.ts';
import { browserStorage } from './lib/storage.ts';
import { App } from './app/app.tsx';
import { startAppearance } from './app/appearance.ts';
import { followLinks } from './app/follow-links.ts';
import { attentionOfBrowser } from './app/attention.ts';
import { startBadges } from './app/badges.ts';
import { startNotifications } from './app/notifications.ts';
import { readInstance } from './app/read-instance-info.ts';
import { registerServiceWorker } from './app/register-service-worker.ts';
import { Router } from './app/router.ts';
import { startApp } from './app/start-app.ts';
import { startTitle } from './app/title.ts';
import { VIEWS } from './app/views.ts';
import { Texts } from './text/texts.ts';
import './styles/index.css';

// The page says so: too-old.js.
if (document.documentElement.hasAttribute('data-too-old')) {
  throw new Error('this browser is too old');
}

const settings = new Settings(browserStorage('localStorage'));
const texts = new Texts(settings.language, navigator.languages);
startAppearance(settings, texts);

const root = document.querySelector('#app');
if (root === null) throw new Error('the page has no place for the client');

const views = new LazyViews(VIEWS);
const router = new Router(window, document.baseURI);
const reached = await readInstance(views);
const accounts = new Accounts({
  storage: browserKeptStorage('hearth-accounts'),
  local: browserStorage('localStorage'),
  instanceUrl: reached.info.oprish_url,
  visitorName: settings.name,
});
await Promise.all([accounts.load(), texts.ready()]);
const state = startApp(reached, { settings, accounts, texts, router, views });
followLinks(router);
startTitle(state);
// What is shown to those who have no script.
root.replaceChildren();
render(<App state={state} />, root);
document.dispatchEvent(new Event('hearth-shown'));
startNotifications(state, attentionOfBrowser(router));
startBadges(state);
await registerServiceWorker();
