import { useTimeLeft } from '../../ui/use-time-left.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { useConversation } from '../use-conversation.ts';
import type { SubmitProblem } from './submit.ts';

/** From here on, the number of characters left is shown. */
const FEW_CHARACTERS = 200;

interface LimitLineProps {
  readonly id: string;
  readonly problem: SubmitProblem | undefined;
}

/** Below the message box: limits that are nearly reached, and why a message was not sent. */
export function LimitLine({ id, problem }: LimitLineProps) {
  const { charactersLeft, outbox, uploads } = useConversation();
  const { composer: words } = useText();
  const formats = useFormats();
  const left = charactersLeft.value;
  const waitMs = useTimeLeft(outbox.freeAtMs.value);
  const hasFiles = uploads.picked.value.length > 0;
  const shown =
    left >= 0
      ? words.charactersLeft(left, formats.count(left))
      : words.charactersOver(-left, formats.count(-left));
  return (
    <div class="limit-line">
      <p class="problem" role="alert">
        {problem === 'too_long' && left < 0 && (hasFiles ? words.tooLongWithFiles : words.tooLong)}
        {problem === 'too_many' && words.tooMany}
      </p>
      {waitMs > 0 && <p class="limit-wait">{words.sendAgainIn(formats.duration(waitMs))}</p>}
      <p id={id} class={left < 0 ? 'limit-count limit-count-over' : 'limit-count'}>
        {left < FEW_CHARACTERS && shown}
      </p>
    </div>
  );
}
