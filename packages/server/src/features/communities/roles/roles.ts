export { addRole } from './add-role.ts';
export {
  allowedBy,
  changeOfOverwrites,
  changesOfOverwrites,
  deniedBy,
  lackingFor,
  requireGrants,
} from './grants.ts';
export { rankOf, requireAbove, requireAboveMember } from './rank.ts';
