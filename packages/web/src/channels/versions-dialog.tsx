import type { Id } from '@hearth/protocol';
import { useEffect, useMemo } from 'preact/hooks';
import { MoreButton } from '../communities/more-button.tsx';
import { Loaded } from '../conversation/loaded.tsx';
import { useFormats } from '../text/use-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { ChannelTools } from './channel-tools.ts';
import { MessageExtract } from './message-extract.tsx';
import { useChannelText } from './use-channel-text.ts';
import { versionList, type ShownVersion } from './version-list.ts';

interface VersionsProps {
  readonly id: Id;
  readonly tools: ChannelTools;
  readonly onClose: () => void;
}

/** Shows what a message says, and what it said before it was changed, the newest first. */
export function VersionsDialog({ id, tools: { channel }, onClose }: VersionsProps) {
  const words = useChannelText();
  const list = useMemo(() => versionList(channel, id), [channel, id]);
  useEffect(() => void list.load(), [list]);
  return (
    <Dialog title={words.versions} onClose={onClose}>
      <Loaded asked={list.asked.value} onRetry={() => void list.load()}>
        {({ entries }) => (
          <ol class="pin-list">
            {entries.map((entry) => (
              <Version key={entry.version} entry={entry} />
            ))}
          </ol>
        )}
      </Loaded>
      <MoreButton list={list} label={words.moreVersions} />
    </Dialog>
  );
}

function Version({ entry }: { readonly entry: ShownVersion }) {
  const words = useChannelText();
  const formats = useFormats();
  if (!('replaced_at' in entry)) {
    return (
      <li class="pin">
        <h3>{words.now}</h3>
        <MessageExtract content={entry.content} message={entry} />
      </li>
    );
  }
  const { content, replaced_at: untilMs } = entry;
  return (
    <li class="pin">
      <h3>
        <time dateTime={new Date(untilMs).toISOString()}>
          {words.until(formats.moment(untilMs))}
        </time>
      </h3>
      <MessageExtract content={content} />
    </li>
  );
}
