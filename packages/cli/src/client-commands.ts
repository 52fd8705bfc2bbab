import { AUTHOR_LENGTH, countCodePoints, HISTORY_PAGE } from '@hearth/protocol';
import {
  flagUsage,
  type Command,
  type Flag,
  type Invocation,
  type Parameter,
  type Surroundings,
} from './command.ts';
import { openInputBlob } from './input-file.ts';
import { UsageError } from './owner-error.ts';

// Here is what a start loads: what to type. What these commands do is loaded when one of them runs, and is then a
// bundle of its own that shares no class with this one: errors are told there, and come back as exit codes.
const loadClient = () => import('./chat/client.ts');

const URL_PARAMETER: Parameter = {
  name: 'instance url',
  about: 'Where its REST service or web client is, such as 127.0.0.1:7159',
};

const NAME_FLAG: Flag = { name: 'name', value: 'name', about: 'Name to write under' };

const LISTED_DEFAULT = HISTORY_PAGE.default;

const chatCommand: Command = {
  kind: 'command',
  name: 'chat',
  about: 'Talk on an instance',
  parameters: [URL_PARAMETER],
  flags: [{ ...NAME_FLAG, about: 'Name to write under (default: a terminal is asked)' }],
  details: () => CHAT_DETAILS,
  async run({ args: [url = ''], flags }, surroundings) {
    const name = nameOf(flags);
    if (name === undefined && !isTerminal(surroundings))
      throw new UsageError(`missing ${flagUsage(NAME_FLAG)}`);
    const { chat } = await loadClient();
    return chat({ url, name, openFile: fileOpener(surroundings) }, surroundings);
  },
};

const sendCommand: Command = {
  kind: 'command',
  name: 'send',
  about: 'Send one message to an instance',
  parameters: [URL_PARAMETER, { name: 'text', about: 'The message; - is all of standard input' }],
  flags: [{ ...NAME_FLAG, isRequired: true }],
  details: () => SEND_DETAILS,
  async run({ args: [url = '', text = ''], flags }, surroundings) {
    const name = nameOf(flags) ?? '';
    const { send } = await loadClient();
    return send({ url, name, text: text === '-' ? undefined : text }, surroundings);
  },
};

const tailCommand: Command = {
  kind: 'command',
  name: 'tail',
  about: 'Print the messages of an instance as they come',
  parameters: [URL_PARAMETER],
  flags: [
    {
      name: 'last',
      value: 'n',
      about: `First print the last n messages (default: 0; with --no-follow ${LISTED_DEFAULT})`,
    },
    { name: 'json', about: 'Print a JSON object a line' },
    { name: 'no-follow', about: 'End then, without waiting for new ones' },
  ],
  details: () => TAIL_DETAILS,
  async run({ args: [url = ''], flags }, surroundings) {
    const follows = !flags.has('no-follow');
    const last = lastOf(flags.get('last') ?? String(follows ? 0 : LISTED_DEFAULT));
    const { tail } = await loadClient();
    return tail({ url, last, follows, asJson: flags.has('json') }, surroundings);
  },
};

const uploadCommand: Command = {
  kind: 'command',
  name: 'upload',
  about: 'Upload files to an instance, and print their addresses',
  parameters: [URL_PARAMETER, { name: 'file', about: 'File to upload', isRepeated: true }],
  flags: [
    { name: 'spoiler', about: 'Mark the files as spoilers' },
    { name: 'json', about: 'Print what the instance says of each file, a JSON object a line' },
    { name: 'say', about: 'Send the address of each file as a message' },
    { ...NAME_FLAG, about: 'Name to write under, with --say' },
  ],
  async run({ args: [url = '', ...paths], flags }, surroundings) {
    const name = nameOf(flags);
    const says = flags.has('say');
    if (says && name === undefined) throw new UsageError(`--say needs ${flagUsage(NAME_FLAG)}`);
    if (!says && name !== undefined) throw new UsageError('--name needs --say');
    const { upload } = await loadClient();
    const options = { isSpoiler: flags.has('spoiler'), asJson: flags.has('json'), sayAs: name };
    const openFile = fileOpener(surroundings);
    return upload({ url, paths, openFile, ...options }, surroundings);
  },
};

/** What anybody can do on an instance, wherever it is. */
export const CLIENT_COMMANDS: readonly Command[] = [
  chatCommand,
  sendCommand,
  tailCommand,
  uploadCommand,
];

const CHAT_DETAILS = `On a terminal: Enter sends, Alt-Enter begins a new line, the arrows up and down bring back what was typed before,
/upload <file> shares a file, and Ctrl-D or /quit ends it. /help tells more.

Anywhere else each line of standard input is a message, and each message is printed on a line, as hearth tail does. It
ends when its input has ended and all of it is sent; exit code 1 says that something could not be sent.`;

const SEND_DETAILS = `It waits for as long as the instance takes no more messages. Each start asks the instance for its information first,
which the usual limits allow twice in 5 seconds: many messages are sent sooner by one hearth chat, a line each.`;

const TAIL_DETAILS = `Each message is a line: its time, its author, its text, in which line breaks and other characters that a terminal
obeys are escaped. In JSON nothing is lost: a line is a message as the instance gives it, or {"gap": …} where messages
may be missing because the connection was away; its times are Unix milliseconds. {"deleted":{"id":…}} says that the
message with that id was removed; lines of text cannot be taken back. To read only messages:
  hearth tail <instance url> --json | jq -r 'select(has("content")).content'`;

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

function lastOf(given: string): number {
  const last = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(last)) return last;
  throw new UsageError(`--last must be a whole number, not "${given}"`);
}

function fileOpener({ workingDir }: Surroundings): (path: string) => Promise<Blob> {
  return (path) => openInputBlob(path, workingDir);
}
