import { useFormats, useText } from '../text/use-text.ts';
import { PeopleIcon } from '../ui/icons.tsx';
import { useConnection } from './use-connection.ts';

/** Shows how many are connected; nothing while that is not known. */
export function PeopleOnline() {
  const { online } = useConnection();
  const { header: words } = useText().shell;
  const formats = useFormats();
  const count = online.value;
  if (count === undefined) return null;
  const shown = formats.count(count);
  const sentence = words.people(count, shown);
  return (
    <p class="people" title={sentence}>
      <PeopleIcon />
      <span aria-hidden="true">{shown}</span>
      <span class="visually-hidden">{sentence}</span>
    </p>
  );
}
