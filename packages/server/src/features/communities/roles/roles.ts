export { addRole } from './create-role.ts';
export {
  allowedBy,
  changeOfOverwrites,
  changesOfOverwrites,
  deniedBy,
  lackingFor,
  requireGrants,
} from './grants.ts';
export { rankOf, requireAbove, requireAboveMember } from './rank.ts';
