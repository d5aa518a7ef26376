/**
 * How programs say which word of their command line they reject. The argument parsers are few (cobra, clap, argparse,
 * click, getopt, Go's flag, commander, yargs, git's own), so a row covers many programs. `word` is the rejected word,
 * `option` the option whose value it is. A row only proposes: the word must stand in the command in that very role.
 */
export interface CulpritMessage {
  /** `positional`: a sub-command or another word, which its place in the command decides. */
  readonly role: 'program' | 'positional' | 'option' | 'value';
  readonly pattern: RegExp;
  /** For messages that name no word because only one can be meant. */
  readonly word?: string;
  /** It tells what this project or machine has. The program itself knows the word, and takes it elsewhere. */
  readonly here?: true;
  /** Something of that name is not there. Of a file that says little: which one is missing depends on the day. */
  readonly absent?: true;
}

const Q = '[\'"`‘’“”]?';
const WORD = `${Q}(?<word>[^\\s'"\`‘’“”,;]+)${Q}`;
const OPTION = `${Q}(?<option>-{1,2}[A-Za-z][\\w-]*)`;

const rows: readonly (readonly [CulpritMessage['role'], string])[] = [
  ['program', `command not found: ${WORD}$`],
  ['program', `(?:^|: )${WORD}: (?:command )?not found$`],
  ['program', `\\b(?:env|nohup|nice): ${WORD}: no such file or directory$`],
  ['program', `failed to run command ${WORD}: no such file or directory$`],
  ['program', `exec: ${WORD}: executable file not found`],
  ['program', `${WORD} is not recogni[sz]ed as (?:an internal|a name of a cmdlet|the name of a cmdlet)`],

  ['value', `unknown json field: ${WORD}`],
  ['value', `invalid (?:argument|value) ${WORD} for (?:flag |option )?${OPTION}`],
  ['value', `argument (?:-\\w(?: \\w+)?/)?${OPTION}(?: \\w+)?: invalid (?:choice|\\w+ value): ${WORD}`],
  ['value', `invalid value for ${OPTION}[^:]*: ${WORD} is not`],
  ['value', `option ${OPTION}[^:]*: invalid (?:choice|value): ${WORD}`],
  ['value', `unrecogni[sz]ed file type: ${WORD}`],
  ['value', `unable to match a printer suitable for the output format ${WORD}`],

  ['option', `unknown shorthand flag: ${WORD} in -`],
  ['option', `(?:invalid|illegal|unknown|unrecogni[sz]ed) option -- ${WORD}`],
  ['option', `flag provided but not defined: ${WORD}`],
  ['option', `option ${WORD}: is unknown`],
  ['option', `found argument ${WORD} which wasn't expected`],
  ['option', `${WORD}: unknown primary or operator`],
  ['option', `unknown predicate ${WORD}`],
  ['option', `bad option: ${WORD}`],
  ['option', `option ${WORD} (?:does not exist|is (?:not supported|not recogni[sz]ed|unknown))`],
  ['option', `${WORD} option does not exist`],
  ['option', `unknown cli (?:config|flag) ${WORD}`],
  ['option', `unrecogni[sz]ed command or argument ${WORD}`],
  ['option', `parameter cannot be found that matches parameter name ${WORD}`],
  ['option', `^switch: ${WORD}$`],
  [
    'option',
    `(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|unsupported|no such) (?:[\\w-]+ ){0,2}(?:flag|option|argument|switch|parameter)(?:e?s)?(?: name)?(?: -- |:? )${WORD}`,
  ],
  ['option', `option ${WORD} was (?:replaced|removed|renamed)`],
  ['option', `could not find an option named ${WORD}`],

  ['positional', `(?:unrecogni[sz]ed|invalid|no such|unknown) (?:sub-?)?command(?: verb)?:? ${WORD}`],
  ['positional', `\\bgo ${WORD}: unknown command`],
  ['positional', `has no command named ${WORD}`],
  ['positional', `command ${WORD} (?:not found|does not exist|is not defined)`],
  ['positional', `unrecogni[sz]ed command or argument ${WORD}`],
  ['positional', `${WORD} is not an? \\w+ command`],
  ['positional', `invalid choice: ${WORD}`],
  ['positional', `missing script: ${WORD}`],
  ['positional', `script not found:? ${WORD}`],
  ['positional', `couldn't find a (?:script|package\\.json script) (?:named|called) ${WORD}`],
  ['positional', `no rule to make target ${WORD}`],
  ['positional', `does not contain recipe ${WORD}`],
  ['positional', `no tasks? (?:named )?${WORD} found`],
  ['positional', `task ${WORD} (?:not found|does not exist|could not be found)`],
  ['positional', `task not found:? ${WORD}`],
  ['positional', `could not find task ${WORD}`],
  ['positional', `don't know how to build task ${WORD}`],
  ['positional', `unknown lifecycle phase ${WORD}`],
  ['positional', `${WORD} is already (?:used by|checked out (?:in|at)) (?:a )?(?:linked )?(?:work ?tree|'/)`],
  ['positional', `the server doesn't have a resource type ${WORD}`],
];

/** What the project does not contain, or the machine does not give. Messages that name no word name no option either. */
const ofPlace: readonly (readonly ['option' | 'value', string, string?])[] = [
  ['value', `package id specification ${WORD} did not match any packages`],
  ['value', `package ${WORD} not found in workspace`],
  ['value', `no (?:bin|test|example|bench) target named ${WORD}`],
  ['value', `no workspaces found:? --workspace=${WORD}`],
  ['option', 'no library targets found in package', '--lib'],
  ['option', 'the input device is not a tty', '-t'],
];

const absent: readonly (readonly ['positional' | 'value', string])[] = [
  ['value', `could not add label: ${WORD} not found`],
  [
    'value',
    `\\b(?:namespaces?|contexts?|profiles?|regions?|projects?|labels?|targets?|presets?|config) ${WORD} (?:was )?not found`,
  ],
  ['value', `the config profile \\(${WORD}\\) could not be found`],
  ['value', `failed to load (?:custom )?\\w+ (?:from )?${WORD}`],
  ['value', `(?:cannot|could not|unable to) find \\w+ (?:named |called )?${WORD}`],
  ['positional', `pathspec ${WORD} did not match any`],
  ['positional', `ambiguous argument ${WORD}: unknown revision`],
  ['positional', `(?:invalid reference|not a valid object name|bad revision|couldn't find remote ref):? ${WORD}`],
  ['positional', `no available formula with the name ${WORD}`],
  ['positional', `unable to locate package ${WORD}`],
  ['positional', `no such (?:service|container|image|network|volume|session|environment|job|queue|stack):? ${WORD}`],
  ['positional', `(?:deployments|services|pods|configmaps|secrets)(?:\\.\\w+)* ${WORD} not found`],
];

export const CULPRIT_MESSAGES: readonly CulpritMessage[] = [
  ...rows.map(([role, source]) => ({ role, pattern: new RegExp(source, 'i') })),
  ...ofPlace.map(([role, source, word]) => ({
    ...{ role, pattern: new RegExp(source, 'i'), here: true as const },
    ...(word === undefined ? {} : { word }),
  })),
  ...absent.map(([role, source]) => ({ role, pattern: new RegExp(source, 'i'), absent: true as const })),
];

/** Every message has one of these words: lines without any are not looked at, which is nearly all of them. */
export const CULPRIT_HINT =
  /not found|no such|unknown|recogni|invalid|illegal|unexpected|unsupported|not defined|not exist|is not|n't |not match|bad option|already|switch: |not a tty|replaced|removed|renamed|has no|no library|no workspaces|no tasks?|no rule|target named|missing|ambiguous|could not|cannot|unable|failed to|not be found|not contain|no available/i;
