import { MOST_PARSED_CHARACTERS, parseMarkdown, type MessageText } from './parse-markdown.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * A long text in sections, each of which is parsed on its own: what takes long to parse is shown as it was written, and the
 * rest is Markdown all the same. A short text is one section.
 */
export function parseDocument(content: string): readonly MessageText[] {
  if (content.length <= MOST_PARSED_CHARACTERS) {
    const parsed = parseMarkdown(content);
    if (parsed.kind === 'markdown') return [parsed];
  }
  return sectionsOf(content).map(parseMarkdown);
}

/** Paragraphs, as many together as are parsed at once. No section begins within code or a list. */
function sectionsOf(content: string): readonly string[] {
  const sections: string[] = [];
  let section = '';
  for (const paragraph of paragraphsOf(content)) {
    const isFull = section.length + paragraph.length > MOST_PARSED_CHARACTERS;
    if (section !== '' && isFull) {
      sections.push(section);
      section = '';
    }
    section += paragraph;
  }
  return section.trim() === '' ? sections : [...sections, section];
}

function* paragraphsOf(content: string): Generator<string> {
  let paragraph = '';
  let fence: string | undefined;
  let isAfterBlank = false;
  for (const line of content.split(/(?<=\n)/)) {
    const isBlank = line.trim() === '';
    const isIndented = /^\s/.test(line) || /^([-*+]|\d{1,9}[.)])\s/.test(line);
    if (isAfterBlank && !isBlank && !isIndented && fence === undefined) {
      yield paragraph;
      paragraph = '';
    }
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true) fence = undefined;
    paragraph += line;
    isAfterBlank = isBlank;
  }
  if (paragraph !== '') yield paragraph;
}
