// What these views share with those of accounts comes with them, in one file.
import '../account/views.ts';

export { CreateDialog } from './create/create-dialog.tsx';
export { InboxDialog } from './inbox/inbox-dialog.tsx';
export { FindView } from './find/find-view.tsx';
export { InviteView } from './invite/invite-view.tsx';
export { CommunitySettings } from './settings/community-settings.tsx';
export { Switcher } from './switcher/switcher.tsx';
