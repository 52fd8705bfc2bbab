import { tempFolder } from '@hearth/testing/temp-folder';
import { environmentOf, testRun } from '@hearth/testing/test-run';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const COPIED = ['packages', 'scripts', 'bench', 'deploy', 'examples', 'docs', 'package.json'];
const SETTINGS = ['tsconfig.json', '.oxlintrc.json', '.oxfmtrc.json'];

/** An edit of a file by the page: it writes the file, or adds groups of lines, each after lines that are there once. */
export interface Edit {
  readonly path: string;
  readonly isNew: boolean;
  readonly lines: readonly string[];
}

/** A section of ARCHITECTURE.md that adds a feature, and a copy of the repository in which it is followed. */
export class FollowedPage implements AsyncDisposable {
  readonly text: string;
  readonly edits: readonly Edit[];
  readonly #resources = new AsyncDisposableStack();
  #copy = '';

  constructor(heading: string) {
    const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    const sections = page.split(/^## /m);
    this.text = sections.find((section) => section.startsWith(`${heading}\n`)) ?? '';
    const blocks = this.text.matchAll(/^```\w+\n(.*?)^```$/gms);
    this.edits = [...blocks].flatMap(([, block = '']) => editsIn(block));
  }

  /** The files that the page writes or changes. */
  get paths(): readonly string[] {
    return this.edits.map(({ path }) => path);
  }

  /** A path in the copy. */
  at(path: string): string {
    return join(this.#copy, path);
  }

  /** Makes the copy, and follows the page in it. */
  async follow(): Promise<void> {
    this.#copy = this.#resources.use(await tempFolder()).path;
    copyRepository(this.#copy);
    for (const edit of this.edits) apply(edit, this.at(edit.path));
    await this.run('bun', 'scripts/write-wire.ts');
    await this.run('bun', 'scripts/write-examples.ts');
  }

  /** Checks the types of all packages, and of the tests that the page writes or changes. Throws the compiler's output. */
  async checkTypes(): Promise<void> {
    const checked = {
      extends: './tsconfig.json',
      files: this.paths.filter((path) => path.endsWith('.ts')),
      include: ['packages/*/src'],
      exclude: ['packages/testing', '**/*.test.ts', '**/*.contract.ts'],
    };
    writeFileSync(this.at('tsconfig.checked.json'), JSON.stringify(checked));
    await this.run('tsc', '--noEmit', '--project', 'tsconfig.checked.json');
  }

  /** Runs a program in the copy. If it fails, throws its output. */
  run(program: string, ...args: readonly string[]): Promise<void> {
    return this.runIn(this.#copy, program, ...args);
  }

  /** Runs a program of the copy in a folder. If it fails, throws its output. */
  async runIn(cwd: string, program: string, ...args: readonly string[]): Promise<void> {
    const command = program === 'bun' ? process.execPath : this.at(`node_modules/.bin/${program}`);
    // The program of a whole run is not that of the copy.
    const { program: _program, web: _web, ...servers } = testRun;
    const env = { ...process.env, ...environmentOf(servers) };
    const child = Bun.spawn([command, ...args], { cwd, env, stdout: 'pipe', stderr: 'pipe' });
    const [printed, warned] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if ((await child.exited) !== 0) throw new Error(`${program} failed:\n${printed}${warned}`);
  }

  /** Imports a module of the copy with the type that the caller names. */
  imported<Module>(path: string): Promise<Module> {
    return import(this.at(path));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

/** The files of a block; each begins with a line that names it. */
function editsIn(block: string): readonly Edit[] {
  return block.split(/^(?=\/\/ packages\/|\+\+\+ )/m).map((part) => {
    const [head = '', ...lines] = part.trimEnd().split('\n');
    const path = head.slice(head.indexOf(' ') + 1);
    if (head.startsWith('//')) return { path, isNew: true, lines };
    const isNew = !existsSync(join(ROOT, path));
    return { path, isNew, lines: isNew ? lines.map((line) => line.slice(1)) : lines };
  });
}

function apply(edit: Edit, file: string): void {
  if (edit.isNew) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, edited(edit, edit.isNew ? '' : readFileSync(file, 'utf8')));
}

/** Returns the text of a file after an edit. Throws if a line after which the page adds some is not there exactly once. */
export function edited({ path, isNew, lines }: Edit, before: string): string {
  if (isNew) return `${lines.join('\n')}\n`;
  const text = before.split('\n');
  let place = -1;
  let isAfterAnchor = false;
  for (const line of lines) {
    const isAdded = line.startsWith('+');
    if (isAdded) text.splice((place += 1), 0, line.slice(1));
    else if (isAfterAnchor && text[place + 1] === line.slice(1)) place += 1;
    else place = placeAfter(text, line.slice(1), path);
    isAfterAnchor = !isAdded;
  }
  return text.join('\n');
}

function placeAfter(text: readonly string[], anchor: string, path: string): number {
  const found = text.flatMap((line, index) => (line === anchor ? [index] : []));
  if (found.length !== 1) throw new Error(`${path} has ${found.length} times: ${anchor}`);
  return found[0] ?? 0;
}

/** Copies the repository. The packages of the copy use each other, and share all other installed packages with it. */
function copyRepository(copy: string): void {
  for (const name of [...COPIED, ...SETTINGS]) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(copy, 'node_modules', name)];
    if (name === '@hearth') cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, to);
  }
}
