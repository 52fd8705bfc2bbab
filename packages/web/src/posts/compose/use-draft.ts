import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MOST_MESSAGE_ATTACHMENTS, parseId } from '@hearth/protocol';
import { ValidationError } from '@hearth/sdk';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { useConversationParts } from '../../conversation/use-conversation-parts.ts';
import { useFailureText } from '../../communities/describe-failure.ts';
import { Uploads } from '../../writing/uploads.ts';
import {
  EMPTY_DRAFT,
  isEmptyDraft,
  parseDraft,
  problemsOf,
  type DraftField,
  type PostDraft,
} from './post-draft.ts';
import { useWriting, type DraftPlace } from './use-writing.ts';
import { useWritingText } from './use-writing-text.ts';

/** Problems with the parts of a draft, in words; what is wrong with none of them is in `all`. */
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
export function useDraft(place: DraftPlace, empty = EMPTY_DRAFT) {
  const { drafts } = useWriting();
  const { client, connection, clock } = useConversationParts();
  const attachments = useAttachments();
  const read = (from: DraftPlace) => parseDraft(drafts.read(from)) ?? empty;
  const [draft, setDraft] = useState(() => read(place));
  const latest = useRef(draft);
  const at = useRef(place);
  const change = useCallback(
    (part: Partial<PostDraft>) => {
      latest.current = { ...latest.current, ...part };
      const isEmpty = isEmptyDraft(latest.current);
      drafts.keep(at.current, isEmpty ? '' : JSON.stringify(latest.current));
      setDraft(latest.current);
    },
    [drafts],
  );
  const uploads = useMemo(
    () =>
      new Uploads({
        client,
        isReachable: connection.isReachable,
        clock,
        mostFiles: MOST_MESSAGE_ATTACHMENTS,
        remember: (data, content) => attachments.remember(data, content),
        deliver: (_, uploaded) => {
          const files = uploaded.flatMap((data) => {
            const id = parseId(data.id);
            return id === undefined ? [] : [{ id, data, alt: '' }];
          });
          change({ files: [...latest.current.files, ...files] });
        },
      }),
    [client, connection, clock, attachments, change],
  );
  useEffect(() => () => uploads[Symbol.dispose](), [uploads]);
  /** Begins again, or goes on with what was written at another place. */
  const show = (next: DraftPlace, shown = read(next)) => {
    at.current = next;
    latest.current = shown;
    setDraft(shown);
  };
  return { draft, change, uploads, show, forget: () => drafts.keep(at.current, '') };
}

/** Returns what is wrong with a draft, in words. */
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
