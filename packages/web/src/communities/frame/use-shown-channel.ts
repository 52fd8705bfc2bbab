import { useEffect, useRef, useState } from 'preact/hooks';
import type { Id } from '@hearth/protocol';
import type { ShownChannel, ShownCommunity } from '../shown-communities.ts';

/** The time that a channel may be away, because it moves to another stream. The library closes it a little later. */
const AWAY_MS = 4_500;

/** A channel of a community, as it is or was. */
interface Found {
  readonly channel: ShownChannel | undefined;
  /** True if the reader has seen the channel at this address before. */
  readonly wasThere: boolean;
}

/** The channel at an address. One that is away stays for a few seconds as it was. */
export function useShownChannel({ channels }: ShownCommunity, channelId: Id | undefined): Found {
  const found = channels.find(({ id, kind }) => id === channelId && kind !== 'category');
  const last = useRef<ShownChannel | undefined>(undefined);
  if (found !== undefined) last.current = found;
  const known = last.current?.id === channelId ? last.current : undefined;
  const [goneId, setGoneId] = useState<Id | undefined>(undefined);
  const isAway = found === undefined && known !== undefined;
  useEffect(() => {
    setGoneId(undefined);
    if (!isAway) return undefined;
    const timer = setTimeout(() => setGoneId(channelId), AWAY_MS);
    return () => clearTimeout(timer);
  }, [isAway, channelId]);
  const kept = goneId === channelId ? undefined : known;
  return { channel: found ?? kept, wasThere: known !== undefined };
}
