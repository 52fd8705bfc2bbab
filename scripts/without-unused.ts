import type { BunPlugin } from 'bun';

/**
 * Files of the schema library that its classes name and that the page has no use for. One of them makes an object of all
 * schemas, so that the bundler would have to keep all.
 */
const UNUSED_FILE =
  /[\\/]zod[\\/]v4[\\/](core[\\/](json-schema-processors|to-json-schema)|classic[\\/]from-json-schema|locales[\\/]en)\.js$/;

const SCHEMAS_FILE = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/;

/** The methods of texts for forms such as UUIDs. The protocol uses none; if it did, the page would not start. */
const TEXT_FORMS = /(?<=\$constructor\("ZodString",[^]*?\n\}), \{\n +email\([^]*?\n\}(?=\);)/;

const MARKDOWN_FILE = /[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/;

/** What the Markdown library does when it is loaded: it makes a parser for those who want no own one, and exports it all. */
const MARKDOWN_START =
  /var (?<parser>\w+)=new \w+;function \w+\(\w+,\w+\)\{return \k<parser>\.parse\([^]*export\{(?<listed>[^}]*)\};/;

/** What the page uses of the Markdown library. */
const MARKDOWN_PARTS = ['Lexer', 'Tokenizer'];

/**
 * Leaves out code of libraries that the page never runs, but that the bundler cannot know to be unused: how schemas are
 * described as JSON Schema and errors in English, forms of texts, and the renderer from Markdown to HTML. The build fails if a
 * library has changed so much that the code is not found.
 */
export function withoutUnused(): BunPlugin {
  const transpiler = new Bun.Transpiler({ loader: 'js' });
  return {
    name: 'without unused code',
    setup(build) {
      build.onLoad({ filter: UNUSED_FILE }, async ({ path }) => {
        const { exports } = transpiler.scan(await Bun.file(path).text());
        const names = exports.map((name) => `none as ${name}`).join(', ');
        return { contents: `const none = () => undefined;\nexport { ${names} };`, loader: 'js' };
      });
      build.onLoad({ filter: SCHEMAS_FILE }, async ({ path }) => {
        const source = await Bun.file(path).text();
        if (!TEXT_FORMS.test(source)) throw new Error(`${path} has no methods for forms of texts`);
        return { contents: source.replace(TEXT_FORMS, ''), loader: 'js' };
      });
      build.onLoad({ filter: MARKDOWN_FILE }, async ({ path }) => {
        const source = await Bun.file(path).text();
        const listed = MARKDOWN_START.exec(source)?.groups?.['listed'] ?? '';
        const parts = listed.split(',').filter((name) => MARKDOWN_PARTS.includes(nameOf(name)));
        if (parts.length === 0) throw new Error(`${path} does not make a parser as it did`);
        const contents = source.replace(MARKDOWN_START, () => `export{${parts.join()}};`);
        return { contents, loader: 'js' };
      });
    },
  };
}

/** The name under which something is exported, such as `Lexer` of `w as Lexer`. */
function nameOf(exported: string): string {
  return exported.split(' ').at(-1) ?? exported;
}
