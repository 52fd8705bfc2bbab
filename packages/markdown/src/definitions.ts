import type { Steps } from './steps.ts';

/** The most characters of the addresses that links of a text name by labels, each counted as often as it is named. */
const MOST_NAMED = 100_000;

/** Addresses that links name by labels. A long one that many links name would make a text many times as large. */
export class Definitions {
  readonly #addresses = new Map<string, string>();
  #left = MOST_NAMED;

  get isEmpty(): boolean {
    return this.#addresses.size === 0;
  }

  /** Keeps an address, unless the label has one. */
  add({ label, href }: Definition): void {
    if (!this.#addresses.has(label)) this.#addresses.set(label, href);
  }

  /** The address for one more link; undefined if there is none, or if links have named too many characters. */
  take(label: string): string | undefined {
    const href = this.#addresses.get(labelOf(label));
    if (href === undefined || href.length > this.#left) return undefined;
    this.#left -= href.length;
    return href;
  }
}

const DEFINITION =
  /^\[((?:\\.|[^[\]\\])+)\]:[ \t]*(<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?[ \t]*$/;
const LABEL = /^\[(?:\\.|[^[\]\\])+\]:$/;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;

/**
 * Takes the definitions at the beginning of a paragraph's lines, and keeps those of labels that have none. An address may be in
 * the line after its label. Returns what was written.
 */
export function takeDefinitions(
  lines: string[],
  known: Definitions,
  steps: Steps,
): readonly string[] {
  const written: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const [line = '', next = ''] = lines.slice(at, at + 2);
    const isOnlyLabel = line.startsWith('[') && line.endsWith(':') && LABEL.test(line);
    const definition = definitionIn(isOnlyLabel ? `${line} ${next}` : line, steps);
    if (definition === undefined) break;
    known.add(definition);
    written.push(isOnlyLabel ? `${line}\n${next}` : line);
    at += isOnlyLabel ? 2 : 1;
  }
  if (at > 0) lines.splice(0, at);
  return written;
}

interface Definition {
  readonly label: string;
  readonly href: string;
}

function definitionIn(line: string, steps: Steps): Definition | undefined {
  // What a spoiler covers is no definition.
  if (!line.startsWith('[') || line.includes('||')) return undefined;
  steps.take(3 * line.length);
  const [, given, target = ''] = DEFINITION.exec(line) ?? [];
  const label = labelOf(given ?? '');
  if (label === '') return undefined;
  return { label, href: hrefOf(target) };
}

/** A label in the form in which labels are compared. */
function labelOf(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** The address that a link has in brackets, or without. */
export function hrefOf(target: string): string {
  const bare = target.startsWith('<') ? target.slice(1, -1) : target;
  return bare.replaceAll(ESCAPE, '$1');
}
