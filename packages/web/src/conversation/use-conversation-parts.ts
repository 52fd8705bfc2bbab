import { requiredContext } from '../lib/required-context.ts';
import type { ConversationParts } from './conversation.ts';

const { Provider, useValue } = requiredContext<ConversationParts>();

/** Provides views with what conversations are made of. */
export const ConversationPartsProvider = Provider;

/** Returns what all conversations of the instance share. */
export const useConversationParts = useValue;
