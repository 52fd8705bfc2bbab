import { useEffect, useState } from 'preact/hooks';
import type { Id } from '@hearth/protocol';
import { addPosts } from '@hearth/sdk/posts';
import { useClients } from '../../connection/use-clients.ts';
import { useFormats } from '../../text/use-text.ts';
import { useWritingText } from '../compose/use-writing-text.ts';

/** Shows what somebody has got for what they have written. */
export function Points({ id }: { readonly id: Id }) {
  const words = useWritingText();
  const formats = useFormats();
  const { client } = useClients();
  const [points, setPoints] = useState<number | undefined>(undefined);
  useEffect(() => {
    // Without them, everything else is there.
    addPosts(client)
      .points(id)
      .then(({ points: all }) => setPoints(Math.floor(all)))
      .catch(() => {});
  }, [client, id]);
  if (points === undefined) return null;
  return <p class="user-points">{words.points(points, formats.count(points))}</p>;
}
