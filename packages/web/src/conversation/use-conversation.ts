import { requiredContext } from '../lib/required-context.ts';
import type { Conversation } from './conversation.ts';

const { Provider, useValue } = requiredContext<Conversation>();

/** Provides the views of a conversation with it. */
export const ConversationProvider = Provider;

/** The conversation that a view belongs to. */
export const useConversation = useValue;
