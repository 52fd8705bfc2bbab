import { requiredContext } from '../lib/required-context.ts';
import type { ConversationParts } from './conversation.ts';

const { Provider, useValue } = requiredContext<ConversationParts>();

/** Where views find what conversations are made of. */
export const ConversationPartsProvider = Provider;

/** What all conversations of the instance share. */
export const useConversationParts = useValue;
