import { connect, type Client } from '@hearth/sdk';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Home } from './support/home.ts';

const PASSWORD = 'correct horse battery';

let instance: TestInstance;
let home: Home;
let ada: Client;

const env = () => ({ XDG_CONFIG_HOME: home.path('config') });
const hearth = (...words: readonly string[]) => home.runHere(words, env());
const rest = () => instance.addresses.rest;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  home = await Home.make();
  ada = await connect(rest());
  await ada.register({ username: 'ada', email: 'ada@example.org', password: PASSWORD });
  const { id } = await ada.communities.create({ name: 'Garden', slug: 'garden' });
  await ada.communities.channels.create(id, {
    kind: 'posts',
    name: 'Oaks',
    tags: [{ name: 'Red' }, { name: 'White' }],
  });
  await home.run(['login', rest(), '--user', 'ada'], { ...env(), HEARTH_PASSWORD: PASSWORD });
});

afterAll(async () => {
  await ada.close();
  await home[Symbol.asyncDispose]();
  await instance[Symbol.asyncDispose]();
});

test('[UC17] post create posts with text, address and tags, and prints the id', async () => {
  const words = [
    '--text',
    'I have **two**.',
    '--url',
    'https://example.org/oak',
    '--tag',
    'red, WHITE',
  ];
  const created = await hearth('post', 'create', rest(), 'garden/oaks', 'Which oak?', ...words);
  expect(created).toMatchObject({ exitCode: 0, stderr: '' });
  expect(created.stdout).toMatch(/^\d+\n$/);
  const printed = await hearth('post', 'create', rest(), 'garden', 'Elms', '--json');
  expect(JSON.parse(printed.stdout)).toMatchObject({ title: 'Elms', user: { username: 'ada' } });
});

test('[UC17] with a tag that the channel does not have, nothing is posted', async () => {
  expect(await hearth('post', 'create', rest(), 'garden/oaks', 'Lost', '--tag', 'blue')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'hearth: the channel has no tag "blue"; it has: Red, White\n',
  });
});

test('[UC18] post vote votes, and prints the score', async () => {
  const { stdout } = await hearth('post', 'create', rest(), 'garden/oaks', 'Vote');
  const vote = (value: string) =>
    hearth('post', 'vote', rest(), `/c/garden/p/${stdout.trim()}`, value);
  expect(await vote('up')).toEqual({
    exitCode: 0,
    stdout: 'The score is 1: 1 up, 0 down\n',
    stderr: '',
  });
  expect(await vote('down')).toMatchObject({ stdout: 'The score is -1: 0 up, 1 down\n' });
  expect(await vote('none')).toMatchObject({ stdout: 'The score is 0: 0 up, 0 down\n' });
});

test('[UC18] without an account, nothing is written', async () => {
  const guest = { XDG_CONFIG_HOME: home.path('nobody') };
  for (const words of [
    ['create', rest(), 'garden/oaks', 'Lost'],
    ['comment', rest(), '5', 'Lost'],
    ['vote', rest(), '5', 'up'],
  ]) {
    const { exitCode, stderr } = await home.runHere(['post', ...words], guest);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('you are not signed in');
  }
});

test.each([
  [['posts', 'x'], 'missing <community/channel> or --feed'],
  [['posts', 'x', 'garden', '--feed'], '--feed takes no channel'],
  [
    ['posts', 'x', 'garden', '--sort', 'best'],
    '--sort must be hot, new, active, top, controversial, not "best"',
  ],
  [['posts', 'x', 'garden', '--since', 'day'], '--since needs --sort top or --sort controversial'],
  [
    ['posts', 'x', 'garden', '--limit', '0'],
    '--limit must be a whole number from 1 to 1000, not "0"',
  ],
  [
    ['post', 'show', 'x', '5', '--depth', '51'],
    '--depth must be a whole number from 1 to 50, not "51"',
  ],
  [['post', 'vote', 'x', '5', 'sideways'], '<vote> must be up, down or none, not "sideways"'],
])('[UC15][UC16][UC18] %j is misuse: %s', async (words, reason) => {
  const { exitCode, stderr } = await home.runHere(words, env());
  expect(exitCode).toBe(2);
  expect(stderr).toContain(reason);
});

test('[UC16] a post that is not named, or not there, is an error of one line', async () => {
  expect(await hearth('post', 'show', rest(), 'oak')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'hearth: expected the address or the id of a post, got "oak"\n',
  });
});

test('[UC15] posts lists posts as a table or as JSON', async () => {
  const { id } = await ada.communities.create({ name: 'List', slug: 'list' });
  const oaks = { kind: 'posts', name: 'oaks' } as const;
  const { id: channelId } = await ada.communities.channels.create(id, oaks);
  expect(await hearth('posts', rest(), 'list/oaks')).toMatchObject({
    stdout: 'There are no posts\n',
  });
  for (const title of ['one', 'two', 'three']) await ada.posts.create(channelId, { title });
  for (const place of ['list/oaks', 'list', '--feed']) {
    const { stdout, stderr } = await hearth(
      'posts',
      rest(),
      place,
      '--sort',
      'new',
      '--limit',
      '2',
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^ID +POSTED +SCORE +COMMENTS +AUTHOR +TITLE\n.* @ada +three\n.* @ada +two\n$/,
    );
  }
  const { stdout } = await hearth(
    'posts',
    rest(),
    'list',
    '--sort',
    'top',
    '--since',
    'day',
    '--json',
  );
  expect(JSON.parse(stdout)).toMatchObject([
    { title: 'three' },
    { title: 'two' },
    { title: 'one' },
  ]);
});

test('[UC16][UC18] post comment writes comments and replies, and post show prints them as a tree', async () => {
  const { stdout } = await hearth(
    'post',
    'create',
    rest(),
    'garden/oaks',
    'Tree',
    '--text',
    'Look',
  );
  const id = stdout.trim();
  const comment = async (...words: string[]) => {
    const written = await hearth('post', 'comment', rest(), id, ...words);
    expect(written).toMatchObject({ exitCode: 0, stderr: '' });
    return written.stdout.trim();
  };
  const root = await comment('Tall');
  const reply = await comment('Old', '--comment', root);
  const shown = await hearth('post', 'show', rest(), id);
  expect(shown.stdout.replaceAll(/\d{4}-\d\d-\d\d [\d:]+ UTC/g, 'AT')).toBe(
    `Tree\n@ada, AT, 0 points, 2 comments\n\nLook\n\n  @ada, AT, 0 points (${root})\n  Tall\n\n    @ada, AT, 0 points (${reply})\n    Old\n`,
  );
  const folded = await hearth('post', 'show', rest(), id, '--depth', '1');
  expect(folded.stdout).toContain(
    `… 1 more reply: hearth post show ${rest()} ${id} --under ${root}`,
  );
  const under = await hearth('post', 'show', rest(), id, '--under', root, '--json');
  expect(JSON.parse(under.stdout)).toMatchObject({
    post: { title: 'Tree' },
    comments: [{ id: reply }],
  });
});

test('[UC20] search --kind finds posts and comments of a channel or a community, the newest one last', async () => {
  const { stdout } = await hearth('post', 'create', rest(), 'garden/oaks', 'Acorns', '--text', 'x');
  const { stdout: other } = await hearth('post', 'create', rest(), 'garden/oaks', 'More acorns');
  const [id, otherId] = [stdout.trim(), other.trim()];
  const commented = await hearth('post', 'comment', rest(), id, 'acorns\neverywhere');
  const search = async (...words: readonly string[]) => {
    const found = await hearth('search', rest(), 'acorn', ...words);
    expect(found).toMatchObject({ exitCode: 0, stderr: '' });
    return found.stdout.split('\n').slice(0, -1);
  };
  await until(async () => (await search('--kind', 'comments', '--in', 'garden')).length > 0);
  for (const place of ['garden', 'garden/oaks']) {
    const [head, ...posts] = await search('--kind', 'posts', '--in', place);
    expect(head).toStartWith('ID ');
    expect(posts.map((line) => line.split(' ', 1)[0])).toEqual([id, otherId]);
    const comments = await search('--kind', 'comments', '--in', place);
    const line = `@ada: acorns everywhere (comment ${commented.stdout.trim()} on “Acorns”, post ${id})`;
    expect(comments.map((each) => each.replace(/^.*? UTC /, ''))).toEqual([line]);
  }
  const json = await search('--kind', 'posts', '--in', 'garden', '--json', '--limit', '1');
  expect(json.map((line) => JSON.parse(line))).toMatchObject([{ id: otherId }]);
  expect(await search('--kind', 'posts', '--in', 'garden', '--from', 'nobody')).toEqual([]);
  const wrong = await hearth('search', rest(), 'acorn', '--kind', 'posts');
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('needs --in') });
});

test('[SE11a] search --in all prints messages, posts and comments of all places, and --facets how many there are', async () => {
  const [garden = expect.unreachable()] = await ada.communities.read();
  const placeOf = (name: string) =>
    garden.channels.find((channel) => channel.name === name)?.id ?? expect.unreachable();
  await ada.send({ content: 'lobby lantern', author: 'ada' });
  await ada.channel(placeOf('general')).send('channel lantern');
  const post = await ada.posts.create(placeOf('Oaks'), { title: 'lantern post' });
  const comment = await ada.posts.comments.create(post.id, { content: 'lantern comment' });
  await until(async () => (await ada.posts.countFound({ text: 'lantern' })).total === 4);
  const search = async (...words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await hearth('search', rest(), 'lantern', ...words);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout.split('\n').map((line) => line.replace(/^\S+Z /, ''));
  };
  const ofPosts = [
    `#garden/Oaks @ada: lantern post (post ${post.id})`,
    `#garden/Oaks @ada: lantern comment (comment ${comment.id} on “lantern post”, post ${post.id})`,
  ];
  const all = ['@ada: lobby lantern', '#garden/general @ada: channel lantern', ...ofPosts, ''];
  expect(await search('--in', 'all')).toEqual(all);
  expect(await search('--in', 'all', '--kind', 'posts')).toEqual([...ofPosts.slice(0, 1), '']);
  expect(await search('--in', 'garden', '--kind', 'all')).toEqual(all.slice(1));
  expect(await search('--in', 'garden/oaks', '--kind', 'all')).toEqual([...ofPosts, '']);
  const [newest = ''] = await search('--in', 'all', '--json', '--limit', '1');
  expect(JSON.parse(newest)).toMatchObject({ kind: 'comments', id: comment.id });
  expect(await search('--in', 'all', '--facets')).toEqual([
    '4 found',
    '',
    ...['2  messages', '1  comments', '1  posts', ''],
    ...['2  garden/Oaks', '1  garden/general', '1  lobby', ''],
    ...['4  @ada', ''],
  ]);
  const [counts = ''] = await search('--facets', '--json');
  expect(JSON.parse(counts)).toMatchObject({ total: 1, places: [{ place: 'lobby', count: 1 }] });
});
