/** `oncebitten completions <shell>`: a script that completes commands and options, made from the table of commands. */

import type { Handler } from '../command.ts';
import { type Command, type CommandGroup, listOptions } from '../command.ts';
import { usageError } from '../errors.ts';

const SHELLS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
};

type Entries = readonly (Command | CommandGroup)[];

/** The table is given, because it has this command in it. */
export function makeRun(entries: Entries): Handler {
  return async ({ arguments: [shell = ''] }) => {
    const render = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (render === undefined)
      throw usageError('completions', `does not know the shell ${shell}`, `use ${Object.keys(SHELLS).join(', ')}`);
    const script = render(listPlaces(entries));
    return { json: { shell, script }, text: script, isDocument: true };
  };
}

/** What may follow the words of a command or group: the words of commands below it, and its options. */
interface Place {
  readonly name: string;
  readonly words: readonly Word[];
}

interface Word {
  readonly word: string;
  readonly help: string;
}

const OF_ALL: readonly Word[] = [
  { word: '--home', help: 'Data directory' },
  { word: '--json', help: 'Print JSON instead of text' },
  { word: '--help', help: 'Show help' },
];

function listPlaces(entries: Entries): readonly Place[] {
  const root: CommandGroup = { name: '', summary: '' };
  return [root, ...entries].map((entry) => ({
    name: entry.name,
    words: [...listChildren(entry, entries), ...listFlags(entry), ...OF_ALL],
  }));
}

function listChildren({ name }: CommandGroup, entries: Entries): readonly Word[] {
  const start = name === '' ? '' : `${name} `;
  return entries
    .filter((one) => one.name.startsWith(start) && !one.name.slice(start.length).includes(' '))
    .filter((one) => one.name !== name)
    .map((one) => ({ word: one.name.slice(start.length), help: one.summary }));
}

function listFlags(entry: Command | CommandGroup): readonly Word[] {
  if (!('load' in entry)) return [];
  return listOptions(entry.options).map(({ flags, help }) => ({
    word: /--[\w-]+/.exec(flags)?.[0] ?? flags,
    help: help.split(/[.:;(]/, 1)[0]?.trim() ?? '',
  }));
}

function renderBash(places: readonly Place[]): string {
  const cases = places.map(
    ({ name, words }) => `    ${quote(name)}) echo ${quote(words.map(({ word }) => word).join(' '))} ;;`,
  );
  return `# bash completion for oncebitten. Load it: eval "$(oncebitten completions bash)"
_oncebitten_words() {
  case "$1" in
${cases.join('\n')}
  esac
}
_oncebitten() {
  local at='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " $(_oncebitten_words "$at") " in
      *" $word "*) [ "\${word#-}" = "$word" ] && at="\${at:+$at }$word" ;;
    esac
  done
  COMPREPLY=($(compgen -W "$(_oncebitten_words "$at")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _oncebitten oncebitten
`;
}

function renderZsh(places: readonly Place[]): string {
  const cases = places.map(
    ({ name, words }) =>
      `    ${quote(name)}) items=(${words.map(({ word, help }) => quote(`${word}:${help}`)).join(' ')}) ;;`,
  );
  return `#compdef oncebitten
# zsh completion for oncebitten. Load it: eval "$(oncebitten completions zsh)"
_oncebitten_items() {
  items=()
  case "$1" in
${cases.join('\n')}
  esac
}
_oncebitten() {
  local at='' word
  local -a items
  for word in "\${(@)words[2,CURRENT-1]}"; do
    _oncebitten_items "$at"
    [[ $word != -* && -n "\${(M)items:#$word:*}" ]] && at="\${at:+$at }$word"
  done
  _oncebitten_items "$at"
  _describe 'oncebitten' items || _files
}
compdef _oncebitten oncebitten
`;
}

function renderFish(places: readonly Place[]): string {
  const lines = places.flatMap(({ name, words }) =>
    words.map(({ word, help }) => {
      const given = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c oncebitten -n "__oncebitten_at '${name}'" ${given} -d ${quote(help)}`;
    }),
  );
  return `# fish completion for oncebitten. Load it: oncebitten completions fish | source
function __oncebitten_at
    set -l words (commandline -opc | string match -v -- '-*')
    test "$words[2..-1]" = "$argv[1]"
end
${lines.join('\n')}
`;
}

/** One word for each of these shells. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
