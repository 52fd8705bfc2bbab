// Icons are imported one by one: the list of the package would put all that are used into the first load.
declare module 'lucide/dist/esm/icons/*.mjs' {
  import type { IconNode } from 'lucide';

  const icon: IconNode;
  export { icon as default };
}
