import type { Flag, Parameter } from './command.ts';

/** The instance of a command for anybody. */
export const URL_PARAMETER: Parameter = {
  name: 'instance url',
  about: 'Address of its REST service or web client, such as 127.0.0.1:7159',
};

/** Its access code. */
export const CODE_FLAG: Flag = {
  name: 'access-code',
  value: 'code',
  about:
    'The access code, if the server needs one (default: #code= in the address, or HEARTH_ACCESS_CODE)',
};
