/** What somebody who sits at a terminal can ask for with a line that begins with a slash. */
export type ChatCommand =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'upload'; readonly path: string }
  | { readonly kind: 'tell'; readonly text: string }
  | { readonly kind: 'quit' };

const HELP = `/upload <file>  share a file
/quit           leave; so do Ctrl-D and Ctrl-C
//text          send a text that begins with a slash
Alt-Enter       begin a new line; what is pasted keeps its lines
up, down        bring back what was typed before, also what could not be sent`;

/** What a line means: a message, unless it begins with one slash. `home` stands for `~`. */
export function readChatCommand(line: string, home: string | undefined): ChatCommand {
  if (!line.startsWith('/')) return { kind: 'say', text: line };
  if (line.startsWith('//')) return { kind: 'say', text: line.slice(1) };
  const word = /^\S+/.exec(line)?.[0] ?? '';
  const argument = line.slice(word.length).trim();
  switch (word) {
    case '/quit':
      return { kind: 'quit' };
    case '/help':
      return { kind: 'tell', text: HELP };
    case '/upload':
      if (argument === '') return { kind: 'tell', text: 'which file? /upload <file>' };
      return { kind: 'upload', path: pathOf(argument, home) };
    default: {
      const text = `there is no ${word}: see /help, or begin with // to send it as it is`;
      return { kind: 'tell', text };
    }
  }
}

// As shells and terminals write a path: in quotes, or with spaces escaped.
function pathOf(given: string, home: string | undefined): string {
  const quoted = /^(['"])(.*)\1$/.exec(given)?.[2];
  const path = quoted ?? given.replaceAll('\\ ', ' ');
  return path.startsWith('~/') && home !== undefined ? `${home}${path.slice(1)}` : path;
}
