import type { MessageMenu } from './use-message-menu.ts';
import { useViews } from '../../lib/views.ts';

/** The menu of a message, which is loaded when one is first opened. */
export function MessageMenuOnDemand({ menu }: { readonly menu: MessageMenu }) {
  const views = useViews('later', menu.open !== undefined);
  return views === undefined ? null : <views.MessageMenuView menu={menu} />;
}
