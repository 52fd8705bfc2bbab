import { useEffect } from 'preact/hooks';
import { useAccounts } from '../account/use-accounts.ts';
import { useInstance } from '../instance/use-instance.ts';
import { usePostText } from '../posts/use-post-text.ts';
import { useText } from '../text/use-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useCovers } from '../ui/use-covers.ts';

/** The list of keyboard shortcuts. Loaded on use. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const { features } = useInstance();
  const account = useAccounts().current.value;
  const covers = useCovers();
  const { reading: words } = useText();
  useEffect(() => covers.cover(onClose), [covers, onClose]);
  const { keys, keyNames: name } = words;
  const { keys: postKeys } = usePostText();
  const rows: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    [keys.moveBetween, [[name.up], [name.down]]],
    [keys.openMenu, [[name.enter], [name.shift, 'F10']]],
    [keys.toNewest, [[name.escape]]],
    [keys.scroll, [[name.pageUp], [name.pageDown]]],
    [keys.send, [[name.enter]]],
    [keys.newLine, [[name.shift, name.enter]]],
    ...(features.value.includes('search') ? [[keys.search, [[name.control, 'F']]] as const] : []),
    ...(account === undefined
      ? []
      : ([
          [keys.goAnywhere, [[name.control, 'K']]],
          [
            keys.unread,
            [
              [name.alt, name.up],
              [name.alt, name.down],
            ],
          ],
        ] as const)),
    ...(features.value.includes('posts')
      ? ([
          [postKeys.next, [['J'], ['K']]],
          [postKeys.vote, [['A'], ['Z']]],
          [postKeys.open, [[name.enter], ['O'], ['X']]],
          [postKeys.reply, [['R']]],
        ] as const)
      : []),
    [keys.list, [['?']]],
  ];
  return (
    <Dialog title={words.shortcuts} onClose={onClose}>
      <dl class="facts shortcuts">
        {rows.map(([what, combinations]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {combinations.map((combination) => (
                <span key={combination.join('+')} class="keys">
                  {combination.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
