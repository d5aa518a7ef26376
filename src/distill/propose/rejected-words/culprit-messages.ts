/**
 * How programs say which word of their command line they reject. Argument parsers are few and speak alike: a word of
 * complaint, what kind of word it is about, and the word itself. `word` is the rejected word, `option` the option whose value
 * it is. A form only proposes: the word must stand in the command in that very role.
 */
export interface CulpritMessage {
  /** `positional`: a sub-command or another word, which its place in the command decides. */
  readonly role: 'program' | 'positional' | 'option' | 'value';
  readonly pattern: RegExp;
  /** Something of that name is not there. Of a file that says little: which one is missing depends on the day. */
  readonly absent?: true;
}

const Q = '[\'"`‘’“”]?';
const WORD = `${Q}(?<word>[^\\s'"\`‘’“”,;()]+)${Q}`;
const OPTION = `${Q}(?<option>-{1,2}[A-Za-z][\\w-]*)`;
const BAD = '(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|unsupported|undefined|ambiguous|bad|no such)';
const KIND = '(?:[\\w-]+ ){0,2}';
const NO = "(?:is|was|does|were)(?:n't| not)? ?";

/** By kind of word; forms that name more of the call stand first. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  program: [
    `command not found: ${WORD}$`,
    `(?:^|: )${WORD}: (?:command )?not found$`,
    `\\b(?:env|nohup|nice|exec|run command):? ${WORD}: (?:no such file|executable file not found)`,
    `${WORD} is not recogni[sz]ed as (?:an internal|(?:a|the) name)`,
  ],
  value: [
    `${BAD} (?:argument|value|choice) ${WORD} for (?:flag |option )?${OPTION}`,
    `${BAD} value for ${OPTION}[^:]*: ${WORD} is not`,
    `(?:argument|option) (?:-\\w(?: \\w+)?/)?${OPTION}[^:]*: ${BAD} (?:choice|${KIND}value): ${WORD}`,
    `${BAD} ${KIND}(?:field|type|format|value|property|column|key):? ${WORD}`,
    `\\bmatch an? ${KIND}suitable for ${KIND}${KIND}format ${WORD}`,
  ],
  option: [
    `${BAD} ${KIND}(?:flag|option|argument|switch|parameter|predicate|config|(?:sub-?)?command or argument)(?:e?s|\\(s\\))?(?: name)?(?: -- |:? )${WORD}(?: in -)?`,
    `(?:option|flag|argument|parameter)s? ${WORD}:? (?:which )?${NO}(?:exist|unknown|expected|supported|recogni[sz]ed|replaced|removed|renamed)`,
    `${WORD}:? (?:option |flag )?(?:does not exist|${BAD} (?:primary|option|operator))`,
    `\\bnot defined: ${WORD}`,
    `could not find an? (?:option|flag) named ${WORD}`,
    `matches parameter name ${WORD}`,
    `^switch: ${WORD}$`,
  ],
  positional: [
    `${BAD} ${KIND}(?:(?:sub-?)?command|verb|action|choice|phase|task|script|target)(?: verb| or argument)?:? ${WORD}`,
    `${WORD}: ${BAD} (?:sub-?)?command`,
    `${WORD} is not an? \\w+ command`,
    `(?:command|task|script|target) (?:not found:? )?${WORD}(?: not found| does not exist| is not defined| could not be found|$)`,
    `(?:missing|no|couldn't find|could not find|make|build|contain) ${KIND}(?:command|script|target|task|recipe)s?(?: named| called)?:? ${WORD}`,
    `the server doesn't have a ${KIND}type ${WORD}`,
    `${WORD} is already (?:used by|checked out (?:in|at)) (?:a )?(?:linked )?(?:work ?tree|'/)`,
  ],
};

const ABSENT_FORMS: readonly (readonly ['positional' | 'value', string])[] = [
  ['value', `\\b[a-z]+:? \\(?${WORD}\\)? (?:was |could )?not (?:be )?found`],
  ['value', `(?:cannot|could not|unable to|failed to) (?:find|load) ${KIND}(?:named |called |from )?${WORD}`],
  ['value', `\\b(?:no|id) ${KIND}(?:specification|target named|workspaces found:? --workspace=) ?${WORD}`],
  [
    'positional',
    `\\b(?:no such|not a valid|couldn't find|unable to locate|bad|invalid|ambiguous|no available) ${KIND}(?:${KIND}with the name )?${WORD}`,
  ],
  ['positional', `pathspec ${WORD} did not match any`],
  ['positional', `\\b[a-z]+(?:\\.\\w+)* ${WORD} not found`],
];

export const CULPRIT_MESSAGES: readonly CulpritMessage[] = [
  ...Object.entries(FORMS).flatMap(([role, forms]) =>
    forms.map((form) => ({ role: role as CulpritMessage['role'], pattern: new RegExp(form, 'i') })),
  ),
  ...ABSENT_FORMS.map(([role, form]) => ({ role, pattern: new RegExp(form, 'i'), absent: true as const })),
];

/** Every message has one of these words: lines without any are not looked at, which is nearly all of them. */
export const CULPRIT_HINT =
  /\bnot\b|n't\b|\bno\b|unknown|recogni|invalid|illegal|unexpected|unsupported|undefined|ambiguous|\bbad\b|missing|already|unable|cannot|failed to|switch: |matches parameter|replaced|removed|renamed/i;
