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

/** Methods that neither the protocol nor the page calls, by the class that has them. Each keeps schemas and checks of its own. */
const UNUSED_METHODS = {
  ZodType: `with brand register superRefine nonoptional or and prefault readonly isOptional isNullable apply "~standard"
    spa parseAsync safeParseAsync validate validateAsync encode decode encodeAsync decodeAsync safeEncode safeDecode
    safeEncodeAsync safeDecodeAsync toJSONSchema`,
  _ZodString: 'includes startsWith endsWith nonempty lowercase uppercase toUpperCase slugify',
  ZodNumber: 'safe negative nonpositive multipleOf step finite',
  ZodArray: 'nonempty unwrap',
  ZodObject: 'keyof passthrough strict strip safeExtend merge exactPartial',
} as const;

/** Code that the page never reaches, and what is in its place. */
const UNREACHED: readonly (readonly [code: RegExp, instead: string])[] = [
  [TEXT_FORMS, ''],
  [/^ +inst\._zod\.processJSONSchema = .*\n/gm, ''],
  // What is read came as JSON, where nothing contains itself.
  [/ +if \(!core\.globalConfig\.memoizer\)\n.*\n/, ''],
  // The page forbids it to run code that it makes: see without-eval.ts.
  [/core\.\$ZodObjectJIT\.init/, 'core.$ZodObject.init'],
];

/**
 * Leaves out code of the schema library that the page never runs, but that the bundler cannot know to be unused: how schemas are
 * described as JSON Schema and errors in English, forms of texts, and methods that nothing calls. The build fails if the library
 * has changed so much that the code is not found.
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
        return { contents: withoutUnreached(await Bun.file(path).text()), loader: 'js' };
      });
    },
  };
}

/** The source of the schemas without what the page does not use. */
function withoutUnreached(source: string): string {
  let left = source;
  for (const [code, instead] of UNREACHED) left = replaced(left, code, instead);
  for (const [name, methods] of Object.entries(UNUSED_METHODS)) {
    const whole = new RegExp(`\\$constructor\\("${name}",[^]*?\\n\\}\\)`);
    const [before = ''] = whole.exec(left) ?? [];
    const after = methods.split(/\s+/).reduce(withoutMethod, before);
    left = left.replace(before, () => after);
  }
  return left;
}

/** The source of a class without a method, or without both functions of a property. */
function withoutMethod(source: string, name: string): string {
  const method = new RegExp(`^ {4}(?:\\w+ )?${name}(?:\\(|: )[^]*?^ {4}\\},\\n`, 'gm');
  return replaced(source, method, '');
}

function replaced(source: string, code: RegExp, instead: string): string {
  const changed = source.replace(code, () => instead);
  if (changed === source) throw new Error(`the schema library has no ${code.source}`);
  return changed;
}
