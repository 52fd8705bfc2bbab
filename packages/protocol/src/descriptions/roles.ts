import type { NounDescription } from './noun.ts';

const to = 'All members, in the stream `c:`.';

export const roles: NounDescription = {
  title: 'Roles',
  about:
    'A role gives [permissions](permissions.md) to the members who have it. The everyone role has the id of the community, and all members have it. A role with a higher position is stronger: members change only roles and members below their own highest role.',
  tags: ['roles'],
  fields: {
    id: 'The role.',
    role_id: 'The role.',
    name: 'What the role is called. `@name` in a message mentions its members, if it is mentionable.',
    colour: 'The colour of the names of its members, such as `#3366cc`.',
    hoisted: 'Whether its members are listed apart.',
    mentionable: 'Whether every member may mention it.',
    self_assignable: 'Whether members may give it to themselves, and take it off.',
    position: 'How strong the role is. The everyone role has 0.',
    permissions: 'What its members may do.',
  },
  objects: {
    role: 'A role of a community.',
    roleList: 'The roles of a community, the weakest first.',
    permissionList: 'A set of permissions: each name once, in any order.',
    newRole: 'What a new role begins with. It is the weakest one above the everyone role.',
    roleChange: 'What to change. What is absent stays as it is, and null clears it.',
    roleOrder: [
      'All roles in a new order.',
      { ids: 'All roles but the everyone role, the weakest first.' },
    ],
  },
  events: {
    roleCreate: { about: 'A role was added.', to },
    roleUpdate: { about: 'A role has changed, or has another position.', to },
    roleDelete: {
      about: 'A role was removed. No member has it any more, and its overwrites are gone.',
      to,
    },
  },
};
