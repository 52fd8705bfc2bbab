import { AUTHOR_LENGTH, countCodePoints } from '@hearth/sdk';

/** The meaning of a line that is typed in an interactive chat. */
export type ChatCommand =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'upload'; readonly path: string }
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'open'; readonly count: number }
  | { readonly kind: 'reveal' }
  | { readonly kind: 'edit'; readonly text: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'reply'; readonly count: number; readonly text: string }
  | { readonly kind: 'react'; readonly emoji: string; readonly count: number }
  | { readonly kind: 'join'; readonly place: string }
  | { readonly kind: 'channels' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'quit' };

/** The place that is not a channel. */
export const LOBBY = 'lobby';

/** The rule for names, in words. */
export const NAME_RULE = `a name must have ${AUTHOR_LENGTH.min} to ${AUTHOR_LENGTH.max} characters`;

/** All commands. */
export const COMMANDS: readonly string[] = [
  '/channels',
  '/clear',
  '/delete',
  '/edit',
  '/help',
  '/join',
  '/lobby',
  '/me',
  '/nick',
  '/open',
  '/quit',
  '/react',
  '/reply',
  '/spoiler',
  '/upload',
];

const HELP = `/upload <file>  share a file
/open <n>       open the file or link that was shown last; 2 is the one before it
/spoiler        show the last message that hides something
/me <text>      say what you do
/reply <text>   reply to the last message; /reply 2 <text> to the one before it
/edit <text>    change the last message that you sent with an account
/delete         delete it
/react <emoji>  react to the last message, or take that back; a number after it: 2 is the one before
/nick <name>    change your name
/channels       list your channels: > is this one, @2 means two mentions of you
/join <place>   go to a channel, such as garden/trees; /lobby leads back
+2 @1           before what you type: 2 places have unread messages, 1 mentions you
/clear          clear the screen (also Ctrl-L)
Tab             complete a command, a channel, or a name after @; again: the next one
/quit           leave the chat (also Ctrl-D and Ctrl-C)
//text          send text that begins with a slash
Alt-Enter       begin a new line; pasted text keeps its lines
up, down        bring back earlier input, including messages that could not be sent`;

/** Parses a line: it is a message unless it begins with one slash. `home` stands for `~`. */
export function readChatCommand(line: string, home: string | undefined): ChatCommand {
  if (!line.startsWith('/')) return { kind: 'say', text: line };
  if (line.startsWith('//')) return { kind: 'say', text: line.slice(1) };
  const word = /^\S+/.exec(line)?.[0] ?? '';
  const argument = line.slice(word.length).trim();
  switch (word) {
    case '/quit':
      return { kind: 'quit' };
    case '/help':
      return { kind: 'notice', text: HELP };
    case '/upload':
      if (argument === '') return { kind: 'notice', text: 'which file? /upload <file>' };
      return { kind: 'upload', path: pathOf(argument, home) };
    case '/me':
      if (argument === '') return { kind: 'notice', text: 'what do you do? /me <text>' };
      return { kind: 'say', text: `_${argument}_` };
    case '/nick':
      if (!isName(argument)) return { kind: 'notice', text: `${NAME_RULE}: /nick <name>` };
      return { kind: 'rename', name: argument };
    case '/open':
      return openCommand(argument);
    case '/spoiler':
      return { kind: 'reveal' };
    case '/edit':
      if (argument === '') return { kind: 'notice', text: 'to what? /edit <text>' };
      return { kind: 'edit', text: argument };
    case '/delete':
      return { kind: 'delete' };
    case '/reply':
      return replyCommand(argument);
    case '/react':
      return reactCommand(argument);
    case '/join':
      if (argument === '') return { kind: 'notice', text: 'which channel? /join garden/trees' };
      return { kind: 'join', place: argument };
    case '/lobby':
      return { kind: 'join', place: LOBBY };
    case '/channels':
      return { kind: 'channels' };
    case '/clear':
      return { kind: 'clear' };
    default: {
      const text = `unknown command ${word}: see /help, or begin with // to send it as text`;
      return { kind: 'notice', text };
    }
  }
}

/** Returns whether messages may have this name. */
export function isName(name: string): boolean {
  const length = countCodePoints(name);
  return length >= AUTHOR_LENGTH.min && length <= AUTHOR_LENGTH.max;
}

function replyCommand(argument: string): ChatCommand {
  const [, given = '1', text = ''] = /^(?:(\d{1,4})\s+)?([^]*)$/.exec(argument) ?? [];
  const count = Number(given);
  if (text !== '' && count > 0) return { kind: 'reply', count, text };
  return { kind: 'notice', text: 'what? /reply <text>, or /reply <n> <text>, where 1 is the last' };
}

function reactCommand(argument: string): ChatCommand {
  const [emoji = '', given = '1'] = argument.split(/\s+/);
  const count = Number(given);
  if (emoji !== '' && /^\d{1,4}$/.test(given) && count > 0) return { kind: 'react', emoji, count };
  return { kind: 'notice', text: 'with what? /react <emoji> <n>, where 1 is the last message' };
}

function openCommand(argument: string): ChatCommand {
  const count = argument === '' ? 1 : Number(argument);
  if (/^\d{0,4}$/.test(argument) && count > 0) return { kind: 'open', count };
  return { kind: 'notice', text: 'which one? /open <n>, where 1 is the last' };
}

// Shells and terminals write a path in quotes or escape its spaces.
function pathOf(given: string, home: string | undefined): string {
  const quoted = /^(['"])(.*)\1$/.exec(given)?.[2];
  const path = quoted ?? given.replaceAll('\\ ', ' ');
  return path.startsWith('~/') && home !== undefined ? `${home}${path.slice(1)}` : path;
}
