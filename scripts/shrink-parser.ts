/**
 * Makes the shell parser smaller in the hook's bundle, where it is nearly half of the code: its constants become numbers,
 * and the names of its own methods and fields become short ones. What it does stays the same
 * (`test/boundary/hook-parser.test.ts`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, type BuildResult, build, type Plugin } from 'esbuild';
import { shrinkPrograms } from './shrink-programs.ts';

const ROOT = join(import.meta.dirname, '..');
const PARSER = join(ROOT, 'node_modules/unbash/dist');
const LEXER = readFileSync(join(PARSER, 'lexer.js'), 'utf8');
/** `export const Token = { Word: 0, … };` */
const CONSTANTS = /^export const (Token|LexContext) = \{([^}]*)\};/gm;

/** Builds twice, because which names may be shortened depends on which files are in the bundle. */
export async function buildSmall(options: BuildOptions): Promise<BuildResult<{ metafile: true }>> {
  const small = {
    ...options,
    minify: true,
    metafile: true,
    plugins: [inlineConstants, shrinkPrograms],
  } satisfies BuildOptions;
  const { metafile } = await build({ ...small, write: false });
  const ownFiles = Object.keys(metafile.inputs).filter((file) => !/\bnode_modules\/unbash\/|^</.test(file));
  return build({ ...small, mangleProps: toParserNames(ownFiles.map((file) => join(ROOT, file))) });
}

/** esbuild puts the values of an enum where its names stand, and leaves the enum out. It does so for no other object. */
const inlineConstants: Plugin = {
  name: 'inline-constants',
  setup: ({ onLoad }) =>
    onLoad({ filter: /unbash[/\\]dist[/\\]lexer\.js$/ }, () => ({
      loader: 'ts',
      contents: LEXER.replace(CONSTANTS, (_, name, body) => {
        const members = toMembers(body).map(([member, value]) => `${member} = ${value}`);
        return `export const enum ${name} { ${members.join(', ')} }`;
      }),
    })),
};

function toMembers(body: string): readonly (readonly [name: string, value: string])[] {
  return [...body.matchAll(/^\s*(\w+): (\d+),$/gm)].map(([, name = '', value = '']) => [name, value]);
}

/**
 * The names that esbuild may shorten everywhere in a bundle: properties that the parser uses and that stand neither in our
 * own files of the bundle (`ownFiles`) nor in JavaScript itself. A name that the parser also has as a string is left alone.
 */
function toParserNames(ownFiles: readonly string[]): RegExp {
  const parser = readdirSync(PARSER).filter((name) => name.endsWith('.js'));
  const text = parser.map((name) => readFileSync(join(PARSER, name), 'utf8')).join('\n');
  const constants = [...LEXER.matchAll(CONSTANTS)].flatMap(([, , body = '']) => toMembers(body).map(([name]) => name));
  const taken = new Set([
    ...ownFiles.flatMap((file) => readFileSync(file, 'utf8').match(/[\w$]+/g) ?? []),
    ...[...text.matchAll(/["'`]([\w$]+)["'`]/g)].map(([, word = '']) => word),
    ...listLanguageNames(),
    ...constants,
  ]);
  const used = new Set([...text.matchAll(/\.([A-Za-z]\w+)/g)].map(([, name = '']) => name));
  return new RegExp(`^(?:_[a-z]\\w*|${[...used].filter((name) => !taken.has(name)).join('|')})$`);
}

/** Names of everything that JavaScript brings: globals, their properties, and those of their prototypes and iterators. */
function listLanguageNames(): readonly string[] {
  const globals = Object.getOwnPropertyNames(globalThis);
  const values: readonly unknown[] = globals.map((name) => (globalThis as Record<string, unknown>)[name]);
  const iterators = [[].values(), new Map().keys(), new Set().keys(), ''.matchAll(/./g), (function* () {})()];
  const objects = [
    ...values,
    ...values.map((value) => (value as { prototype?: unknown } | null | undefined)?.prototype),
  ];
  return [...globals, ...[...objects, ...iterators].flatMap(listProperties)];
}

function listProperties(value: unknown): readonly string[] {
  if (value === null || !['object', 'function'].includes(typeof value)) return [];
  return [...Object.getOwnPropertyNames(value), ...listProperties(Object.getPrototypeOf(value))];
}
