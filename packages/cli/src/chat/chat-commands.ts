/** The meaning of a line that is typed in an interactive chat. */
export type ChatCommand =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'upload'; readonly path: string }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'quit' };

const HELP = `/upload <file>  share a file
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
    default: {
      const text = `unknown command ${word}: see /help, or begin with // to send it as text`;
      return { kind: 'notice', text };
    }
  }
}

// Shells and terminals write a path in quotes or escape its spaces.
function pathOf(given: string, home: string | undefined): string {
  const quoted = /^(['"])(.*)\1$/.exec(given)?.[2];
  const path = quoted ?? given.replaceAll('\\ ', ' ');
  return path.startsWith('~/') && home !== undefined ? `${home}${path.slice(1)}` : path;
}
