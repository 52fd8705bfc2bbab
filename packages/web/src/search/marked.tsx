import { foundIn, markedIn, type ExcerptPart } from './excerpt.ts';

interface MarkedProps {
  readonly text: string;
  /** The words that were searched. */
  readonly query: string;
}

/** A text, in which the words that were found are marked. */
export function Marked({ text, query }: MarkedProps) {
  return <Parts parts={markedIn(text, query)} />;
}

/** The part of a text in Markdown where the words were found, without its marks. */
export function MarkedExcerpt({ text, query }: MarkedProps) {
  return <Parts parts={foundIn(text, query)} />;
}

function Parts({ parts }: { readonly parts: readonly ExcerptPart[] }) {
  return (
    <>
      {parts.map(({ text, isMarked }, at) =>
        isMarked ? (
          <mark key={at} class="found">
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </>
  );
}
