import type { ChannelMessage, Id, MessageVersion } from '@hearth/protocol';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Asked } from '../account/own-account.ts';
import { useCommunityText } from '../communities/use-community-text.ts';
import { useFormats } from '../text/use-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { ChannelTools } from './channel-tools.ts';
import { MessageExtract } from './message-extract.tsx';
import { useChannelText } from './use-channel-text.ts';

const PAGE = 50;

interface VersionsProps {
  readonly id: Id;
  readonly tools: ChannelTools;
  readonly onClose: () => void;
}

/** What a message says, and what it said before it was changed, the newest first. */
export function VersionsDialog({ id, tools, onClose }: VersionsProps) {
  const words = useChannelText();
  const { frame } = useCommunityText();
  const formats = useFormats();
  const { asked, load, more } = useVersions(tools, id);
  return (
    <Dialog title={words.versions} onClose={onClose}>
      {asked.state === 'loading' && (
        <p class="hint" role="status">
          {frame.loading}
        </p>
      )}
      {asked.state === 'failed' && (
        <>
          <p class="problem" role="alert">
            {frame.failed}
          </p>
          <button type="button" class="button" onClick={load}>
            {frame.again}
          </button>
        </>
      )}
      {asked.state === 'there' && (
        <ol class="pin-list">
          <li class="pin">
            <h3>{words.now}</h3>
            <MessageExtract content={asked.value.message.content} message={asked.value.message} />
          </li>
          {asked.value.versions.map(({ version, content, replaced_at: untilMs }) => (
            <li key={version} class="pin">
              <h3>
                <time dateTime={new Date(untilMs).toISOString()}>
                  {words.until(formats.moment(untilMs))}
                </time>
              </h3>
              <MessageExtract content={content} />
            </li>
          ))}
        </ol>
      )}
      {more !== undefined && (
        <button type="button" class="button" onClick={more}>
          {words.moreVersions}
        </button>
      )}
    </Dialog>
  );
}

interface Versions {
  readonly message: ChannelMessage;
  readonly versions: readonly MessageVersion[];
  readonly isWhole: boolean;
}

function useVersions({ channel }: ChannelTools, id: Id) {
  const [asked, setAsked] = useState<Asked<Versions>>({ state: 'loading' });
  const load = useCallback(
    async (known?: Versions) => {
      const before = known?.versions.at(-1)?.version;
      try {
        const [message, page] = await Promise.all([
          known?.message ?? channel.message(id),
          channel.versions(id, { limit: PAGE, ...(before !== undefined && { before }) }),
        ]);
        const versions = [...(known?.versions ?? []), ...page];
        setAsked({ state: 'there', value: { message, versions, isWhole: page.length < PAGE } });
      } catch (error) {
        setAsked({ state: 'failed', error });
      }
    },
    [channel, id],
  );
  useEffect(() => void load(), [load]);
  const known = asked.state === 'there' && !asked.value.isWhole ? asked.value : undefined;
  return {
    asked,
    load: () => void load(),
    more: known === undefined ? undefined : () => void load(known),
  };
}
