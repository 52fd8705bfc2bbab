import { requiredContext } from '../../lib/required-context.ts';
import type { Attachments } from './attachments.ts';

const { Provider, useValue } = requiredContext<Attachments>();

/** Provides views with the files of messages. */
export const AttachmentsProvider = Provider;

/** The instance's files that messages name; all conversations share them. */
export const useAttachments = useValue;
