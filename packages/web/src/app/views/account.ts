// What these views share with others comes with them, in one file.
import './later.ts';
import '../../text/en/conflicts.ts';

export { AccountMenu } from '../../account/account-menu.tsx';
export { AccountPage } from '../../account/account-page.tsx';
export { AccountSettings } from '../../account/settings/account-settings.tsx';
export { DeleteDialog } from '../../conversation/changes/delete-dialog.tsx';
export { MessageEditor } from '../../conversation/changes/message-editor.tsx';
export { ReactionPicker } from '../../conversation/changes/reaction-picker.tsx';
export { ReactionsDialog } from '../../conversation/changes/reactions-dialog.tsx';
export { SessionEnded } from '../../account/session-ended.tsx';
export { ProfileDialog } from '../../user/profile-dialog.tsx';
