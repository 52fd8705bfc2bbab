import { ApiError, NetworkError, ServerError, ValidationError } from '@hearth/sdk';
import { useApp } from '../app-state.ts';
import type { Delivery } from '../composer/outbox.ts';
import { useTimeLeft } from '../shell/use-time-left.ts';
import type { Catalogue } from '../text/catalogue.ts';
import { useFormats, useText } from '../text/use-text.ts';

interface DeliveryNoteProps {
  readonly messageKey: string;
  readonly delivery: Delivery;
}

/** How a message that has not come back yet is on its way. */
export function DeliveryNote({ messageKey, delivery }: DeliveryNoteProps) {
  const { lobby } = useText();
  switch (delivery.state) {
    case 'sending':
      return <p class="delivery">{lobby.sending}</p>;
    case 'waiting':
      return <Waiting untilMs={delivery.untilMs} />;
    case 'failed':
      return <Failed messageKey={messageKey} delivery={delivery} />;
  }
}

function Waiting({ untilMs }: { readonly untilMs: number | undefined }) {
  const { lobby } = useText();
  const formats = useFormats();
  const leftMs = useTimeLeft(untilMs);
  if (untilMs === undefined) return <p class="delivery">{lobby.waitingForConnection}</p>;
  if (leftMs === 0) return <p class="delivery">{lobby.sending}</p>;
  return <p class="delivery">{lobby.waitingUntil(formats.duration(leftMs))}</p>;
}

interface FailedProps {
  readonly messageKey: string;
  readonly delivery: Delivery & { readonly state: 'failed' };
}

function Failed({ messageKey, delivery }: FailedProps) {
  const { outbox } = useApp();
  const { lobby } = useText();
  return (
    <div class="delivery delivery-failed">
      <p role="alert">{whyFailed(delivery.error, lobby)}</p>
      {delivery.isRetryable && (
        <button type="button" class="text-button" onClick={() => outbox.retry(messageKey)}>
          {lobby.tryAgain}
        </button>
      )}
      <button type="button" class="text-button" onClick={() => outbox.discard(messageKey)}>
        {lobby.deleteUnsent}
      </button>
    </div>
  );
}

function whyFailed(error: unknown, lobby: Catalogue['lobby']): string {
  if (error === undefined) return lobby.maybeSent;
  if (error instanceof NetworkError) return lobby.notSentBecause(lobby.reasonNetwork);
  if (error instanceof ServerError) return lobby.notSentBecause(lobby.reasonServer);
  if (error instanceof ValidationError)
    return lobby.notSentBecause(lobby.reasonRefused(error.error));
  if (error instanceof ApiError) return lobby.notSentBecause(lobby.reasonRefused(error.message));
  return lobby.notSent;
}
