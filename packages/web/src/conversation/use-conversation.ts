import { requiredContext } from '../lib/required-context.ts';
import type { Conversation } from './conversation.ts';

const { Provider, useValue } = requiredContext<Conversation>();

/** Where the views of a conversation find it. */
export const ConversationProvider = Provider;

/** The conversation that a view belongs to. */
export const useConversation = useValue;
