import {
  AUTHOR_LENGTH,
  countCodePoints,
  HISTORY_PAGE,
  SEARCHED,
  SEARCHED_CONTENTS,
} from '@hearth/protocol';
import { ACCOUNT_COMMANDS } from './account-commands.ts';
import {
  flagUsage,
  type Command,
  type Flag,
  type Group,
  type Invocation,
  type Parameter,
  type Surroundings,
} from './command.ts';
import { CODE_FLAG, URL_PARAMETER } from './instance-parameters.ts';
import { openInputBlob } from './input-file.ts';
import { oneOf } from './one-of.ts';
import { UsageError } from './owner-error.ts';
import { POST_COMMANDS } from './post-commands.ts';

// A start loads only this file, which describes the commands. Their code is a separate bundle, loaded when one of them
// runs. The bundles share no classes, so errors are reported there and come back as exit codes.
const loadClient = () => import('./chat/client.ts');

const NAME_FLAG: Flag = {
  name: 'name',
  value: 'name',
  about: 'Name to write under, as a guest (default: your account, if you are signed in)',
};

const GUEST_FLAG: Flag = { name: 'as-guest', about: 'Do not use your account' };

const PLACE_PARAMETER: Parameter = {
  name: 'community/channel',
  about: 'A channel of one of your communities or of a public one, in place of the lobby',
};

const PLACE_FLAG: Flag = {
  name: 'in',
  value: PLACE_PARAMETER.name,
  about: PLACE_PARAMETER.about,
};

const SEARCHED_PLACE =
  'A channel, a community alone for all of its channels, or all, in place of the lobby';

const LISTED_DEFAULT = HISTORY_PAGE.default;

const chatCommand: Command = {
  kind: 'command',
  name: 'chat',
  about: 'Chat on an instance',
  parameters: [URL_PARAMETER, { ...PLACE_PARAMETER, isOptional: true }],
  flags: [
    {
      ...NAME_FLAG,
      about: 'Name to write under, as a guest (default: your account, or ask on a terminal)',
    },
    GUEST_FLAG,
    CODE_FLAG,
  ],
  details: () => CHAT_DETAILS,
  async run({ args: [url = '', channel], flags }, surroundings) {
    const name = nameOf(flags);
    const place = placeOf(channel, `<${PLACE_PARAMETER.name}>`);
    const { chat } = await loadClient();
    if (place === undefined && !isTerminal(surroundings))
      await requireName({ url, flags }, surroundings);
    const openFile = fileOpener(surroundings);
    return chat({ ...instanceOf(url, flags), name, place, openFile }, surroundings);
  },
};

const sendCommand: Command = {
  kind: 'command',
  name: 'send',
  about: 'Send one message to an instance',
  parameters: [
    URL_PARAMETER,
    { name: 'text', about: 'The message; - reads it from standard input' },
  ],
  flags: [PLACE_FLAG, NAME_FLAG, GUEST_FLAG, CODE_FLAG],
  details: () => SEND_DETAILS,
  async run({ args: [url = '', text = ''], flags }, surroundings) {
    const name = nameOf(flags);
    const place = placeOf(flags.get(PLACE_FLAG.name), '--in');
    if (place !== undefined) requireAccount(flags);
    const { send } = await loadClient();
    if (place === undefined) await requireName({ url, flags }, surroundings);
    const content = text === '-' ? undefined : text;
    return send({ ...instanceOf(url, flags), name, text: content, place }, surroundings);
  },
};

const tailCommand: Command = {
  kind: 'command',
  name: 'tail',
  about: 'Print the messages of an instance as they arrive',
  parameters: [URL_PARAMETER],
  flags: [
    PLACE_FLAG,
    {
      name: 'last',
      value: 'n',
      about: `First print the last n messages (default: 0; with --no-follow ${LISTED_DEFAULT})`,
    },
    { name: 'json', about: 'Print one JSON object per line' },
    { name: 'no-follow', about: 'Exit after that, without waiting for new messages' },
    GUEST_FLAG,
    CODE_FLAG,
  ],
  details: () => TAIL_DETAILS,
  async run({ args: [url = ''], flags }, surroundings) {
    const follows = !flags.has('no-follow');
    const place = placeOf(flags.get(PLACE_FLAG.name), '--in');
    const last = wholeNumber('last', flags.get('last') ?? String(follows ? 0 : LISTED_DEFAULT));
    const { tail } = await loadClient();
    const asJson = flags.has('json');
    return tail({ ...instanceOf(url, flags), last, follows, asJson, place }, surroundings);
  },
};

const uploadCommand: Command = {
  kind: 'command',
  name: 'upload',
  about: 'Upload files to an instance, and print their addresses',
  parameters: [URL_PARAMETER, { name: 'file', about: 'File to upload', isRepeated: true }],
  flags: [
    { name: 'spoiler', about: 'Mark the files as spoilers' },
    { name: 'json', about: 'Print the data of each file, one JSON object per line' },
    { name: 'say', about: 'Send the address of each file as a message' },
    { ...NAME_FLAG, about: `With --say: ${NAME_FLAG.about.toLowerCase()}` },
    GUEST_FLAG,
    CODE_FLAG,
  ],
  async run({ args: [url = '', ...paths], flags }, surroundings) {
    const name = nameOf(flags);
    const says = flags.has('say');
    if (!says && name !== undefined) throw new UsageError('--name needs --say');
    const { upload } = await loadClient();
    if (says) await requireName({ url, flags }, surroundings);
    const options = { isSpoiler: flags.has('spoiler'), asJson: flags.has('json'), says, name };
    const openFile = fileOpener(surroundings);
    return upload({ ...instanceOf(url, flags), paths, openFile, ...options }, surroundings);
  },
};

const searchCommand: Command = {
  kind: 'command',
  name: 'search',
  about: 'Search messages, posts and comments',
  parameters: [
    URL_PARAMETER,
    { name: 'word', about: 'Word to search for', isRepeated: true, isOptional: true },
  ],
  flags: [
    { ...PLACE_FLAG, about: SEARCHED_PLACE },
    {
      name: 'kind',
      value: 'kind',
      about: `What to search: ${SEARCHED.join(', ')} (default: messages; all with --in all or --facets)`,
    },
    { name: 'from', value: 'name', about: 'Only what this author has written' },
    {
      name: 'has',
      value: 'content',
      about: `Only what contains one: ${SEARCHED_CONTENTS.join(', ')}`,
    },
    {
      name: 'limit',
      value: 'n',
      about: `Maximum number of results (default: ${LISTED_DEFAULT})`,
    },
    { name: 'facets', about: 'Print how much is found, by kind, place and author' },
    { name: 'json', about: 'Print one JSON object per line' },
    GUEST_FLAG,
    CODE_FLAG,
  ],
  details: () => SEARCH_DETAILS,
  async run({ args: [url = '', ...words], flags }, surroundings) {
    const [from, has] = [flags.get('from'), oneOf('has', flags, SEARCHED_CONTENTS)];
    if (words.length === 0 && from === undefined && has === undefined) {
      throw new UsageError('missing <word>, --from or --has');
    }
    const place = placeOf(flags.get(PLACE_FLAG.name), '--in');
    const limit = wholeNumber('limit', flags.get('limit') ?? String(LISTED_DEFAULT));
    const given = oneOf('kind', flags, SEARCHED);
    const { countFound, search, searchAll, searchPosts } = await loadClient();
    const query = { text: words.join(' '), from, has };
    const request = { ...instanceOf(url, flags), query, limit, asJson: flags.has('json') };
    if (flags.has('facets')) return countFound({ ...request, kind: given, place }, surroundings);
    const kind = given ?? (place === 'all' ? 'all' : 'messages');
    if (kind === 'all' || place === 'all')
      return searchAll({ ...request, kind, place }, surroundings);
    if (kind === 'messages') return search({ ...request, place }, surroundings);
    if (place === undefined) throw new UsageError(`--kind ${kind} needs --in`);
    return searchPosts({ ...request, kind, place }, surroundings);
  },
};

/** Commands for anybody, on any instance that can be reached. */
export const CLIENT_COMMANDS: readonly (Command | Group)[] = [
  chatCommand,
  sendCommand,
  tailCommand,
  searchCommand,
  ...POST_COMMANDS,
  uploadCommand,
  ...ACCOUNT_COMMANDS,
];

const CHAT_DETAILS = `On a terminal, Enter sends the message, Alt-Enter begins a new line, and the up and down arrows bring back earlier
input. /upload <file> shares a file, /quit or Ctrl-D ends the chat, and /help lists all commands.

If you are signed in, /channels lists the channels of your communities, /join garden/trees goes to one, and /lobby leads back.
The prompt shows where you are, who is writing, and what is unread elsewhere: +2 @1 are two places, and one mention of you.
Channels of public communities can be read by everyone; only members write there.

In a pipe, each line of standard input is sent as a message, and each message is printed on one line, as hearth tail
does. The chat ends when all input is sent. The exit code is 1 if a message could not be sent.`;

const SEND_DETAILS = `It waits if the rate limit is reached. Each run first requests the instance's information, which the default limits
allow twice in 5 seconds. To send many messages, pipe them into one hearth chat, one message per line.

--in names a channel by its community and its own name, or by its id. A community alone stands for its first channel:
  hearth send <instance url> 'Who planted the oak?' --in garden/trees`;

const TAIL_DETAILS = `Each message is one line: its time, author and text. Line breaks and other control characters are escaped.

With --json, each line is a message as the instance sent it, or one of these:
  {"gap":{…}}           messages may be missing here, because the connection was lost; times are Unix milliseconds
  {"updated":{…}}       a message has changed, and this is how it is now
  {"deleted":{"id":…}}  the message with this id was removed
To read only messages:
  hearth tail <instance url> --json | jq -r 'select(has("content")).content'`;

const SEARCH_DETAILS = `The newest messages are found, and printed with the newest one last, as hearth tail does. Case and accents do not
matter, and the last word may be incomplete. Words in quotation marks have to follow each other:
  hearth search <instance url> '"good evening"' --from ada

--in searches a channel, or all channels of a community that you see. Then each line names its channel:
  hearth search <instance url> oak --in garden

--in all searches the lobby and all of your communities, and finds messages, posts and comments:
  hearth search <instance url> oak --in all

With --kind posts or --kind comments, --in is a channel with posts, a community, or all:
  hearth search <instance url> oak --in garden --kind posts

--facets prints how many of the newest 1,000 are of each kind, place and author:
  hearth search <instance url> oak --in all --facets`;

/** The instance of a command. Who names themselves is a guest. */
function instanceOf(url: string, flags: Invocation['flags']) {
  const asGuest = flags.has(GUEST_FLAG.name) || flags.has(NAME_FLAG.name);
  return { url, accessCode: flags.get(CODE_FLAG.name), asGuest };
}

/** Throws UsageError if there is neither a name nor an account. */
async function requireName(
  { url, flags }: { readonly url: string; readonly flags: Invocation['flags'] },
  surroundings: Surroundings,
): Promise<void> {
  if (flags.has(NAME_FLAG.name)) return;
  const { isSignedIn } = await loadClient();
  if (!flags.has(GUEST_FLAG.name) && (await isSignedIn(url, surroundings))) return;
  throw new UsageError(`missing ${flagUsage(NAME_FLAG)}`);
}

function isTerminal({ streams: { stdin, stdout } }: Surroundings): boolean {
  return stdin.isTTY && stdout.isTTY;
}

function nameOf(flags: Invocation['flags']): string | undefined {
  const name = flags.get('name');
  const length = countCodePoints(name ?? '');
  const { min, max } = AUTHOR_LENGTH;
  if (name === undefined || (length >= min && length <= max)) return name;
  throw new UsageError(`--name must be ${min} to ${max} characters long`);
}

/** The channel that was named. Throws UsageError if there is nothing in the name. */
function placeOf(given: string | undefined, what: string): string | undefined {
  if (given === undefined || given.trim() !== '') return given?.trim();
  throw new UsageError(`${what} must be a channel, such as garden/trees`);
}

/** Throws UsageError if the flags contradict that a channel takes messages of accounts only. */
function requireAccount(flags: Invocation['flags']): void {
  const other = [NAME_FLAG, GUEST_FLAG].find(({ name }) => flags.has(name));
  if (other === undefined) return;
  throw new UsageError(`--in needs an account, so leave out --${other.name}`);
}

function wholeNumber(flag: string, given: string): number {
  const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new UsageError(`--${flag} must be a whole number, not "${given}"`);
}

function fileOpener({ workingDir }: Surroundings): (path: string) => Promise<Blob> {
  return (path) => openInputBlob(path, workingDir);
}
