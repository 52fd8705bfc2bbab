import { signal } from '@preact/signals';
import { parseId, type Id } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { memoryKeptStorage } from '../../test/support/memory-kept-storage.ts';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import { Accounts, type KeptAccount } from './accounts.ts';

const INSTANCE = 'https://home.test/api';
const [ADA = expect.unreachable(), BOB = expect.unreachable()] = [parseId('1'), parseId('2')];

/** A browser, in which pages are loaded one after the other. */
function browser() {
  const stored = new Map<string, unknown>();
  const local = new MemoryStorage();
  const load = async (instanceUrl = INSTANCE) => {
    const storage = memoryKeptStorage(stored);
    const accounts = new Accounts({ storage, local, instanceUrl, visitorName: signal('a guest') });
    await accounts.load();
    return accounts;
  };
  return { stored, local, load };
}

const account = (id: Id, username: string): KeptAccount => ({
  id,
  username,
  displayName: undefined,
  avatar: undefined,
  isModerator: false,
  token: `token of ${username}`,
});

test('[WC103] the token of an account is in the database of the browser only', async () => {
  const { local, stored, load } = browser();
  const first = await load();
  await first.keep(account(ADA, 'ada'));
  first.use(ADA);
  expect(first.current.value).toBeUndefined();
  const next = await load();
  expect([next.name.value, await next.read()]).toEqual(['ada', 'token of ada']);
  const openly = Array.from({ length: local.length }, (_, at) =>
    local.getItem(local.key(at) ?? ''),
  );
  expect(openly).toEqual(['1']);
  expect(JSON.stringify([...stored])).toContain('token of ada');
});

test('[WC104] a page acts for one account, and the next page for the one that was chosen', async () => {
  const { load } = browser();
  const first = await load();
  expect([first.name.value, first.ownKey]).toEqual(['a guest', INSTANCE]);
  for (const each of [account(ADA, 'ada'), account(BOB, 'bob')]) await first.keep(each);
  first.use(BOB);
  const bob = await load();
  expect([bob.name.value, bob.ownKey]).toEqual(['bob', `${INSTANCE} 2`]);
  bob.use(ADA);
  expect(bob.name.value).toBe('bob');
  expect((await load()).name.value).toBe('ada');
  expect((await bob.list()).map(({ username }) => username)).toEqual(['ada', 'bob']);
  await bob.forget(ADA);
  expect((await load()).name.value).toBe('a guest');
});

test('[WC104] accounts of another instance at the same origin are others', async () => {
  const { load } = browser();
  const here = await load();
  await here.keep(account(ADA, 'ada'));
  here.use(ADA);
  const there = await load('https://home.test/api2');
  expect([there.name.value, await there.list()]).toEqual(['a guest', []]);
});

test('[WC106] an account whose token was refused is still known, without its token', async () => {
  const { load } = browser();
  const first = await load();
  await first.keep(account(ADA, 'ada'));
  first.use(ADA);
  const page = await load();
  // Another page has a newer one.
  const other = await load();
  await other.write('a newer token');
  expect(await page.read('token of ada')).toBe('a newer token');
  await page.write(undefined);
  expect([page.name.value, await page.read()]).toEqual(['ada', undefined]);
  expect((await load()).current.value).toMatchObject({ username: 'ada', token: undefined });
});

test('[WC106] a new token is lost neither to what a page learns meanwhile, nor to a page that has the former one', async () => {
  const { load } = browser();
  const first = await load();
  await first.keep(account(ADA, 'ada'));
  first.use(ADA);
  const [page, other] = [await load(), await load()];
  const renewing = page.write('a newer token');
  await Promise.all([renewing, page.learn({ id: ADA, username: 'ada' })]);
  expect([await page.read(), (await load()).current.value?.token]).toEqual([
    'a newer token',
    'a newer token',
  ]);
  // It still has the former token, and the instance accepts that for a minute.
  await other.learn({ id: ADA, username: 'countess' });
  expect(other.current.value).toMatchObject({ username: 'countess', token: 'a newer token' });
  expect((await load()).current.value).toMatchObject({ token: 'a newer token' });
});

test('[WC106] a page uses the newer token of another page from then on, and forgets no token that it does not have', async () => {
  const { load } = browser();
  const first = await load();
  await first.keep(account(ADA, 'ada'));
  first.use(ADA);
  const [page, other] = [await load(), await load()];
  await page.write('a newer token');
  expect(await other.read('token of ada')).toBe('a newer token');
  expect(await other.read()).toBe('a newer token');
  await page.write('the newest token');
  await other.write(undefined);
  expect((await load()).current.value).toMatchObject({ token: 'the newest token' });
});

test('[WC104][WC104a] another page is loaded again if its account or session is no longer in use, and otherwise stays as it is', async () => {
  const { local, load } = browser();
  const first = await load();
  for (const each of [account(ADA, 'ada'), account(BOB, 'bob')]) await first.keep(each);
  const pages = new EventTarget();
  const [setItem, removeItem] = [local.setItem.bind(local), local.removeItem.bind(local)];
  // As browsers do, it reports changes only.
  const change = (key: string, newValue: string | null, apply: () => void) => {
    const isNew = local.getItem(key) !== newValue;
    apply();
    if (isNew) pages.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }));
  };
  local.setItem = (key, value) => change(key, value, () => setItem(key, value));
  local.removeItem = (key) => change(key, null, () => removeItem(key));
  const loadedAgain: string[] = [];
  const open = async (name: string) => {
    const page = await load();
    page.onUse(() => void loadedAgain.push(name), pages);
    return page;
  };
  const after = (act: () => void) => {
    loadedAgain.length = 0;
    act();
    return loadedAgain;
  };
  await open('visitor');
  first.use(ADA);
  await open('ada');
  const ended = await open('ended');
  await ended.write(undefined);
  expect(after(() => first.use(ADA))).toEqual(['visitor', 'ended']);
  expect(after(() => local.setItem('another key', '1'))).toEqual([]);
  expect(after(() => first.use(BOB))).toEqual(['visitor', 'ada', 'ended']);
  expect(after(() => first.use(undefined))).toEqual(['ada', 'ended']);
});

test('[WC104] a page that is late does not bring back an account that another page has forgotten', async () => {
  const { stored, load } = browser();
  const first = await load();
  await first.keep(account(ADA, 'ada'));
  first.use(ADA);
  const [page, other] = [await load(), await load()];
  await page.forget(ADA);
  await other.learn({ id: ADA, username: 'ada' });
  await other.write(undefined);
  expect([...stored]).toEqual([]);
});

test('what the instance says about the account is kept with its token, and what it says about others is not', async () => {
  const { load } = browser();
  const first = await load();
  await first.keep(account(ADA, 'ada'));
  first.use(ADA);
  const page = await load();
  await page.learn({ id: BOB, username: 'bob' });
  expect(page.name.value).toBe('ada');
  await page.learn({ id: ADA, username: 'countess', display_name: 'Ada' });
  expect((await load()).current.value).toEqual({
    ...account(ADA, 'countess'),
    displayName: 'Ada',
    token: 'token of ada',
  });
});

test('without a database, everybody is a visitor', async () => {
  const local = new MemoryStorage();
  local.setItem(`hearth.account ${INSTANCE}`, '1');
  const read = () => Promise.reject(new Error('forbidden'));
  const storage = { ...memoryKeptStorage(new Map()), read };
  const visitorName = signal('a guest');
  const accounts = new Accounts({ storage, local, instanceUrl: INSTANCE, visitorName });
  await accounts.load();
  expect(accounts.current.value).toBeUndefined();
});
