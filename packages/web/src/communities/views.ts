// What this file shares with the first load runs before that. With the other views that are loaded on use, it needs nothing
// that would divide the first load once more.
import '../account/views.ts';

export { CreateDialog } from './create/create-dialog.tsx';
export { InboxDialog } from './inbox/inbox-dialog.tsx';
export { FindView } from './find/find-view.tsx';
export { InviteView } from './invite/invite-view.tsx';
export { CommunitySettings } from './settings/community-settings.tsx';
export { Switcher } from './switcher/switcher.tsx';
