import type { ChannelMessage } from '@hearth/protocol';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { nameColour, nameOfWriter } from '../conversation/author.ts';
import { Loaded } from '../conversation/loaded.tsx';
import { messageUrl } from '../conversation/message-url.ts';
import { useConversation } from '../conversation/use-conversation.ts';
import { useFormats } from '../text/use-text.ts';
import { PinIcon } from '../ui/action-icons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useCovers } from '../ui/use-covers.ts';
import type { ChannelTools } from './channel-tools.ts';
import { MessageExtract } from './message-extract.tsx';
import { followPins, pinList } from './pin-list.ts';
import { useChannelText } from './use-channel-text.ts';
import { useSetPinned } from './use-message-actions.tsx';

interface PinsProps {
  readonly tools: ChannelTools;
  readonly onClose: () => void;
}

/** The pinned messages of a channel, the one that was pinned last first. Each leads to its place in the conversation. */
export function PinsDialog({ tools, onClose }: PinsProps) {
  const covers = useCovers();
  const words = useChannelText();
  useEffect(() => covers.cover(onClose), [covers, onClose]);
  const { channel } = tools;
  const list = useMemo(() => pinList(channel), [channel]);
  useEffect(() => followPins(channel, list), [channel, list]);
  return (
    <Dialog title={words.pins} onClose={onClose}>
      <Loaded asked={list.asked.value} onRetry={() => void list.load()}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p class="hint">{words.noPins}</p>
          ) : (
            <Pins pins={entries} tools={tools} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

interface ListProps {
  readonly pins: readonly ChannelMessage[];
  readonly tools: ChannelTools;
}

function Pins({ pins, tools }: ListProps) {
  const conversation = useConversation();
  const words = useChannelText();
  const formats = useFormats();
  const setPinned = useSetPinned(tools);
  const [problem, setProblem] = useState('');
  const mayUnpin = tools.own.value?.permissions.has('PIN') === true;
  return (
    <>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <ol class="pin-list">
        {pins.map((message) => {
          const { id, author, created_at: createdAtMs } = message;
          const name = nameOfWriter(message);
          return (
            <li key={id} class="pin">
              <div class="pin-head">
                <a href={messageUrl(conversation, id)} title={words.jump}>
                  <bdi class={`message-author ${nameColour(author)}`}>{name}</bdi>{' '}
                  <time class="message-time" dateTime={new Date(createdAtMs).toISOString()}>
                    {formats.moment(createdAtMs)}
                  </time>
                </a>
                {mayUnpin && (
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={words.unpin}
                    title={words.unpin}
                    onClick={() => void setPinned(id, false).then(setProblem)}
                  >
                    <PinIcon />
                  </button>
                )}
              </div>
              <MessageExtract content={message.content} message={message} />
            </li>
          );
        })}
      </ol>
    </>
  );
}
