// What these views share with those of accounts comes with them, in one file.
import './account.ts';

export { CreateDialog } from '../../communities/create/create-dialog.tsx';
export { InboxDialog } from '../../communities/inbox/inbox-dialog.tsx';
export { FindView } from '../../communities/find/find-view.tsx';
export { InviteView } from '../../communities/invite/invite-view.tsx';
export { CommunitySettings } from '../../communities/settings/community-settings.tsx';
export { Switcher } from '../../communities/switcher/switcher.tsx';
