import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';

/** The parameters of paths that end at one thing, such as `/channels/:id`. */
export const idParams = z.object({ id: idSchema });

/** The parameters of paths below a community, such as `/communities/:community_id/roles`. */
export const communityParams = z.object({ community_id: idSchema });

/** The parameters of paths to somebody in a community, such as `/communities/:community_id/members/:user_id`. */
export const communityUserParams = communityParams.extend({ user_id: idSchema });

/** The parameters of paths below a channel, such as `/channels/:channel_id/messages`. */
export const channelParams = z.object({ channel_id: idSchema });

/** The parameters of `/communities/:community_id/roles/:role_id`. */
export const roleParams = communityParams.extend({ role_id: idSchema });

/** The parameters of `/channels/:id/overwrites/:subject_id`. */
export const overwriteParams = idParams.extend({ subject_id: idSchema });
