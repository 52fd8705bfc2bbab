import { bundledScript, type BundledScript } from './helper-command.ts';

/** A helper process: what it does with its arguments. */
interface Script {
  readonly run: (words: readonly string[]) => Promise<void>;
}

const SCRIPTS: Readonly<Record<BundledScript, () => Promise<Script>>> = {
  'instances/folder-instance.ts': () => import('./instances/folder-instance.ts'),
  'instances/history-instance.ts': () => import('./instances/history-instance.ts'),
  'instances/instance-process.ts': () => import('./instances/instance-process.ts'),
  'instances/posting-process.ts': () => import('./instances/posting-process.ts'),
  'instances/remove-uploads.ts': () => import('./instances/remove-uploads.ts'),
  'instances/writing-process.ts': () => import('./instances/writing-process.ts'),
  'ports/count-in-transactions.ts': () => import('./ports/count-in-transactions.ts'),
  'ports/emitting-process.ts': () => import('./ports/emitting-process.ts'),
};

// The main file of the bundle: `bun run-helper.js <script> <arguments of the script>`.
const [word, ...words] = process.argv.slice(2);
const name = bundledScript(word);
if (name === undefined) throw new Error(`there is no script ${word} in this bundle`);
void SCRIPTS[name]().then(({ run }) => run(words));
