import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { parseId } from '@hearth/protocol';
import { ValidationError } from '@hearth/sdk';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { useConversationParts } from '../../conversation/use-conversation-parts.ts';
import { useFailureText } from '../../communities/describe-failure.ts';
import { DraftUploads } from './draft-uploads.ts';
import type { DraftPlace } from './kept-drafts.ts';
import { problemsOf, type DraftField, type PostDraft } from './post-draft.ts';
import { useWriting } from './use-writing.ts';
import { useWritingText } from './use-writing-text.ts';

/** What is wrong with the parts of a draft, in words; what is wrong with none of them is in `all`. */
export type Problems = Partial<Record<DraftField | 'all', string>>;

/** The parts of a post by the names of the fields that the instance refuses. */
const FIELDS: Readonly<Record<string, DraftField>> = {
  title: 'title',
  content: 'content',
  url: 'url',
  tag_ids: 'tags',
  poll: 'poll',
  attachments: 'files',
  kind: 'channel',
  channel_id: 'channel',
};

/** A draft at its place on the device, with its files on their way. */
export function useDraft(place: DraftPlace, empty?: PostDraft) {
  const { drafts } = useWriting();
  const { client } = useConversationParts();
  const attachments = useAttachments();
  const [draft, setDraft] = useState(() => drafts.read(place, empty));
  const latest = useRef(draft);
  const at = useRef(place);
  const change = useCallback(
    (part: Partial<PostDraft>) => {
      latest.current = { ...latest.current, ...part };
      drafts.keep(at.current, latest.current);
      setDraft(latest.current);
    },
    [drafts],
  );
  const uploads = useMemo(
    () =>
      new DraftUploads({
        client,
        add: (data) => {
          attachments.learn([data]);
          const id = parseId(data.id);
          if (id !== undefined) change({ files: [...latest.current.files, { id, data, alt: '' }] });
        },
      }),
    [client, attachments, change],
  );
  useEffect(() => () => uploads[Symbol.dispose](), [uploads]);
  /** Begins again, or goes on with what was written at another place. */
  const show = (next: DraftPlace, shown = drafts.read(next, empty)) => {
    at.current = next;
    latest.current = shown;
    setDraft(shown);
  };
  return { draft, change, uploads, show, forget: () => drafts.forget(at.current) };
}

/** What is wrong with a draft, in words. */
export function useProblems() {
  const words = useWritingText();
  const describe = useFailureText();
  return {
    found: (draft: PostDraft): Problems =>
      Object.fromEntries(
        Object.entries(problemsOf(draft)).map(([field, problem]) => [
          field,
          words.problems[field]?.[problem] ?? problem,
        ]),
      ),
    of: (error: unknown): Problems => {
      const name = error instanceof ValidationError ? error.fieldName.split('.')[0] : undefined;
      const field = FIELDS[name ?? ''];
      return { [field ?? 'all']: describe(error) };
    },
  };
}
