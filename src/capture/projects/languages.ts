/** Finds the languages of a project by the files at the top of its folder. */

const BY_NAME: Readonly<Record<string, readonly string[]>> = {
  'pyproject.toml': ['python'],
  'setup.py': ['python'],
  'setup.cfg': ['python'],
  'requirements.txt': ['python'],
  Pipfile: ['python'],
  'package.json': ['javascript'],
  'tsconfig.json': ['typescript', 'javascript'],
  'deno.json': ['typescript', 'javascript'],
  'deno.jsonc': ['typescript', 'javascript'],
  'go.mod': ['go'],
  'go.work': ['go'],
  'Cargo.toml': ['rust'],
  Gemfile: ['ruby'],
  'pom.xml': ['java'],
  'build.gradle': ['java'],
  'build.gradle.kts': ['kotlin', 'java'],
  'composer.json': ['php'],
  'mix.exs': ['elixir'],
  'rebar.config': ['erlang'],
  'Package.swift': ['swift'],
  'CMakeLists.txt': ['cpp', 'c'],
  'pubspec.yaml': ['dart'],
  'build.sbt': ['scala'],
  'stack.yaml': ['haskell'],
  'build.zig': ['zig'],
  'deps.edn': ['clojure'],
  'project.clj': ['clojure'],
  'Project.toml': ['julia'],
  DESCRIPTION: ['r'],
};

const BY_ENDING: Readonly<Record<string, readonly string[]>> = {
  '.csproj': ['csharp'],
  '.sln': ['csharp'],
  '.fsproj': ['fsharp'],
  '.cabal': ['haskell'],
  '.gemspec': ['ruby'],
  '.xcodeproj': ['swift'],
  '.tf': ['terraform'],
};

export function findStack(names: readonly string[]): readonly string[] {
  const langs = names.flatMap((name) => [...listIn(BY_NAME, name), ...listIn(BY_ENDING, toEnding(name))]);
  return [...new Set(langs)].sort();
}

function listIn(rows: Readonly<Record<string, readonly string[]>>, key: string): readonly string[] {
  return Object.hasOwn(rows, key) ? (rows[key] ?? []) : [];
}

function toEnding(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}
