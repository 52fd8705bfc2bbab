import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { Conversation } from '../conversation.ts';
import { submit, type SubmitProblem } from './submit.ts';

type Box = HTMLTextAreaElement;

/** Sends what is in the box, after a question if there is one; and why that was not possible. */
export function useSend(conversation: Conversation, box: RefObject<Box | null>) {
  const [problem, setProblem] = useState<SubmitProblem | undefined>(undefined);
  const submitNow = () => {
    const result = submit(conversation);
    setProblem(result === 'too_long' || result === 'too_many' ? result : undefined);
  };
  const send = () => {
    if (box.current?.readOnly === true) return;
    const asked = conversation.confirmSend?.(conversation.draft.text.peek());
    if (asked === undefined) submitNow();
    else void whileAsked(box.current, asked).then((isSent) => isSent && submitNow());
  };
  return { send, problem, forgetProblem: () => setProblem(undefined) };
}

/** The text stays as it is until the reader has decided. */
async function whileAsked(box: Box | null, asked: Promise<boolean>): Promise<boolean> {
  if (box !== null) box.readOnly = true;
  try {
    return await asked;
  } finally {
    if (box !== null) box.readOnly = false;
  }
}
