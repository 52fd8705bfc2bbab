import type { ComponentChildren } from 'preact';
import { useText } from '../../text/use-text.ts';
import { CodeBlock } from './code-block.tsx';
import type { Naming, NamedPart } from '../mentions.ts';
import {
  directionOf,
  safeLink,
  withoutSpoilers,
  type CodeToken,
  type LinkToken,
  type ListToken,
  type MessageText,
  type MessageToken,
  type TableCell,
  type TableToken,
  type TextToken,
} from '@hearth/markdown';

import { Spoiler } from './spoiler.tsx';
import { useScrollFocus } from '../../ui/use-scroll-focus.ts';

interface MarkdownProps {
  readonly text: MessageText;
  /** Marks whom and what a text names. */
  readonly naming: Pick<Naming, 'split' | 'linkTo'>;
}

/**
 * A message's text. It is made of elements only, never of HTML: elements, attributes and scripts in a message remain
 * text.
 */
export function Markdown({ text, naming }: MarkdownProps) {
  const shown = pieces(text.tokens, { isInLink: false, naming });
  if (text.kind === 'markdown') return <>{shown}</>;
  return (
    <p class="as-written" dir="auto">
      {shown}
    </p>
  );
}

interface Around {
  readonly isInLink: boolean;
  readonly naming: MarkdownProps['naming'];
}

function pieces(tokens: readonly MessageToken[], around: Around): ComponentChildren {
  return tokens.map((token) => piece(token, around));
}

function piece(token: MessageToken, around: Around): ComponentChildren {
  switch (token.type) {
    case 'paragraph':
      return <p dir="auto">{below(token, around)}</p>;
    case 'text':
      return <Text token={token} around={around} />;
    case 'escape':
      return token.text;
    case 'html':
      return <Written isBlock={token.block}>{below(token, around)}</Written>;
    case 'def':
      return <Written isBlock>{token.raw}</Written>;
    case 'heading':
      return (
        <p dir="auto" class={`heading heading-${Math.min(token.depth, 3)}`}>
          {below(token, around)}
        </p>
      );
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'strong':
      return <strong>{below(token, around)}</strong>;
    case 'em':
      return <em>{below(token, around)}</em>;
    case 'del':
      return <del>{below(token, around)}</del>;
    case 'spoiler':
      return <Spoiler>{below(token, around)}</Spoiler>;
    case 'codespan':
      return (
        <code dir="auto" class="inline-code">
          {token.text}
        </code>
      );
    case 'code':
      return <CodeBlock code={token.text} language={languageOf(token)} />;
    case 'blockquote':
      return <blockquote dir={directionOf(token.tokens)}>{below(token, around)}</blockquote>;
    case 'list':
      return <List token={token} around={around} />;
    case 'list_item':
      return <li value={token.number}>{below(token, around)}</li>;
    case 'checkbox':
      return <Checkbox isChecked={token.checked} />;
    case 'table':
      return <Table token={token} around={around} />;
    case 'link':
      return <Link token={token} around={around} />;
    case 'image':
      return <Link token={{ ...token, text: token.text || token.href }} around={around} />;
    default:
      return token satisfies never;
  }
}

function Text({ token, around }: { readonly token: TextToken; readonly around: Around }) {
  if (token.tokens !== undefined) return <span dir="auto">{below(token, around)}</span>;
  return <WithMentions text={token.text} {...around} />;
}

interface MentionsProps extends Pick<Around, 'naming' | 'isInLink'> {
  readonly text: string;
}

function WithMentions({ text, naming, isInLink }: MentionsProps) {
  const parts = naming.split(text);
  if (parts.length === 1 && parts[0] === text) return <>{text}</>;
  return (
    <>
      {parts.map((part, index) =>
        typeof part === 'string' ? part : <Named key={index} part={part} isInLink={isInLink} />,
      )}
    </>
  );
}

function Named({ part, isInLink }: { readonly part: NamedPart; readonly isInLink: boolean }) {
  const { text, href, title, isForReader } = part;
  if (isForReader)
    return (
      <mark class="mention">
        <bdi>{text}</bdi>
      </mark>
    );
  if (href === undefined || isInLink) return <bdi class="named">{text}</bdi>;
  return (
    <a class="named" href={href} title={title}>
      <bdi>{text}</bdi>
    </a>
  );
}

function below(
  { tokens = [] }: { readonly tokens?: readonly MessageToken[] },
  around: Around,
): ComponentChildren {
  return pieces(tokens, around);
}

function Written({
  isBlock,
  children,
}: {
  readonly isBlock: boolean;
  readonly children: ComponentChildren;
}) {
  if (!isBlock) return <>{children}</>;
  return (
    <p class="as-written" dir="auto">
      {children}
    </p>
  );
}

function List({ token, around }: { readonly token: ListToken; readonly around: Around }) {
  const items = token.items.map((item, index) => (
    <li key={index} value={item.number} class={item.task ? 'task' : undefined}>
      {below(item, around)}
    </li>
  ));
  // Markers stand where the list begins, whatever each item is written in.
  const dir = directionOf(token.items);
  if (!token.ordered) return <ul dir={dir}>{items}</ul>;
  // Room for the longest number.
  const digits = Math.max(...token.items.map(({ number = 0 }) => String(number).length));
  return (
    <ol dir={dir} style={{ '--digits': digits }}>
      {items}
    </ol>
  );
}

/** Not a control: nobody could change it, and the page has one text box. */
function Checkbox({ isChecked }: { readonly isChecked: boolean }) {
  const { conversation: words } = useText();
  return (
    <span role="img" aria-label={isChecked ? words.taskDone : words.taskOpen} class="checkbox">
      {isChecked ? '☑' : '☐'}
    </span>
  );
}

function Table({ token, around }: { readonly token: TableToken; readonly around: Around }) {
  const { conversation: words } = useText();
  const scroller = useScrollFocus();
  const cells = (row: readonly TableCell[]) =>
    row.map((cell, index) => {
      const Cell = cell.header ? 'th' : 'td';
      const align = cell.align ?? undefined;
      return (
        <Cell key={index} dir="auto" class={align === undefined ? undefined : `align-${align}`}>
          {below(cell, around)}
        </Cell>
      );
    });
  return (
    <div
      class="table"
      ref={scroller}
      dir={directionOf([token])}
      role="group"
      aria-label={words.table}
    >
      <table>
        <thead>
          <tr>{cells(token.header)}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>{cells(row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LinkProps {
  readonly token: Pick<LinkToken, 'href' | 'text' | 'raw' | 'isAddress' | 'tokens'>;
  readonly around: Around;
}

function Link({ token, around }: LinkProps) {
  const link = around.isInLink ? undefined : safeLink(token.href, token.text);
  if (link === undefined) return <>{withoutSpoilers(token.raw)}</>;
  const named = around.naming.linkTo?.(token.href);
  if (named !== undefined) {
    const isBare = token.text === token.href;
    return <Named part={isBare ? named : { ...named, text: token.text }} isInLink={false} />;
  }
  const inner = { ...around, isInLink: true };
  const children = token.isAddress ? token.text : below(token, inner);
  return (
    <>
      <a href={link.href} title={link.href} target="_blank" rel="noopener noreferrer nofollow ugc">
        <bdi>{isEmpty(token) ? token.text || link.href : children}</bdi>
      </a>
      {link.warnHost === undefined ? null : <bdi class="link-host"> ({link.warnHost})</bdi>}
    </>
  );
}

function isEmpty({ tokens }: Pick<LinkToken, 'tokens'>): boolean {
  return tokens.every(({ raw }) => raw.trim() === '');
}

function languageOf({ lang = '' }: CodeToken): string {
  return /^[\w+#.-]{1,24}/.exec(lang)?.[0] ?? '';
}
