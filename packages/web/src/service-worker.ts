import './polyfills.ts';
import { findWebPlace } from '@hearth/protocol';

/** Data from the build: its version, what the first view needs, and what may be needed later; relative to the page. */
declare const WEB_BUILD: {
  readonly version: string;
  readonly first: readonly string[];
  readonly later: readonly string[];
};

/** The parts of a worker's global scope that are used here: the DOM's types of the client do not have them. */
interface WorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(query: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(name: string, listener: (event: WorkerEvent) => void): void;
}

interface Page {
  readonly url: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

interface WorkerEvent {
  readonly request: Request;
  readonly notification: { readonly data: unknown; close(): void };
  waitUntil(done: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

const PREFIX = 'hearth-';
const CACHE = PREFIX + WEB_BUILD.version;

/** The time that the network may take before the cached page is shown. */
const PATIENCE_MS = 4000;

/** From where the page's addresses count. */
const BASE = /<base href="[^"]*" \/>/;

const worker = workerScope();
const pageUrl = worker.registration.scope;
const assetsUrl = new URL('assets/', pageUrl).href;

worker.addEventListener('install', (event) => {
  event.waitUntil(install());
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(dropOldCaches().then(() => worker.clients.claim()));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  // Everything else is left alone: files and answers of the instance are never cached.
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate' && isPlace(request.url)) {
    const fresh = fetch(request);
    event.respondWith(page(fresh));
    // What the place says may be deleted, or be a feed, so the page of another one is kept.
    event.waitUntil(fresh.then(keepPage).catch(() => undefined));
  } else if (request.url.startsWith(assetsUrl)) {
    event.respondWith(asset(request));
  }
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showPage(pathIn(event.notification.data)));
});

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(addressesOf(WEB_BUILD.first));
  await keepPage();
  // A part that may be needed later must not make the installation fail: it is fetched when needed.
  await cache.addAll(addressesOf(WEB_BUILD.later)).catch(() => undefined);
  await worker.skipWaiting();
}

function addressesOf(paths: readonly string[]): string[] {
  return paths.map((path) => new URL(path, pageUrl).href);
}

/** Keeps the previous build: open pages may still use it, and load parts of it. */
async function dropOldCaches(): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/** Returns whether an address is one of the page's. */
function isPlace(url: string): boolean {
  const { origin, pathname } = new URL(url);
  return (
    url.startsWith(pageUrl) &&
    findWebPlace((origin + pathname).slice(pageUrl.length - 1)) !== undefined
  );
}

/** Keeps the page as it is sent at the first place, which says nothing of what anybody wrote. */
async function keepPage(): Promise<void> {
  const page = await fetch(pageUrl, { headers: { Accept: 'text/html' } });
  if (!page.ok) throw new Error(`the page was answered with status ${page.status}`);
  const cache = await caches.open(CACHE);
  await cache.put(pageUrl, page);
}

/** The page from the network, or the kept one if that fails or takes too long: it can show every place. */
async function page(fresh: Promise<Response>): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(pageUrl);
  if (kept === undefined) return fresh;
  const known = await withOwnBase(kept);
  const late = new Promise<Response>((resolve) => {
    setTimeout(() => resolve(known), PATIENCE_MS);
  });
  return Promise.race([fresh, late]).catch(() => known);
}

/** The page with a base that is right at every place. */
async function withOwnBase(kept: Response): Promise<Response> {
  const { status, headers } = kept;
  const base = new URL(pageUrl).pathname.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const page = await kept.text();
  return new Response(
    page.replace(BASE, () => `<base href="${base}" />`),
    { status, headers },
  );
}

/** A file that is named after its content, cached after the first fetch. */
async function asset(request: Request): Promise<Response> {
  const known = await caches.match(request.url);
  if (known !== undefined) return known;
  const response = await fetch(request);
  const cache = await caches.open(CACHE);
  if (response.ok) await cache.put(request.url, response.clone());
  return response;
}

/** The place to which a notification leads. */
function pathIn(data: unknown): string | undefined {
  const path: unknown =
    typeof data === 'object' && data !== null ? Reflect.get(data, 'path') : undefined;
  return typeof path === 'string' && findWebPlace(path) !== undefined ? path : undefined;
}

async function showPage(path: string | undefined): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find(({ url }) => url.startsWith(pageUrl));
  if (open === undefined) {
    await worker.clients.openWindow(new URL(path?.slice(1) ?? '', pageUrl).href);
    return;
  }
  if (path !== undefined) open.postMessage({ open: path });
  await open.focus();
}

// Guarantee: this file runs as a service worker and nowhere else.
function workerScope(): WorkerScope {
  return globalThis as unknown as WorkerScope;
}
