// What the first load shares with parts that are loaded on use. Each of them imports this file, so that it stays in one piece:
// otherwise each part would divide it once more, into files that are asked for and compressed one by one.
import './account/accounts.ts';
import './app/app.tsx';
import './app/attention.ts';
import './app/register-service-worker.ts';
import './app/start-app.ts';
import './settings/settings.ts';
import './text/texts.ts';
