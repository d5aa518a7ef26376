/**
 * Finds the commands of a PowerShell script, as far as the reading is certain. Comments, strings, here-strings and
 * computations run nothing. Blocks, brackets and assigned values contain statements of their own. Commands in `$(…)`
 * inside a string are left out.
 */
import type { Argument } from './simple-command.ts';

interface PowerShellCommand {
  readonly words: readonly Argument[];
  readonly text: string;
  readonly piped: boolean;
}

/** Each alternative has one way to continue and ends at the end of the text, so the time is linear in the text. */
const BLANK = /(?:[ \t\r]|`\r?\n|<#.*?(?:#>|$)|#[^\n]*)+/sy;
const MARK = /\|\||&&|[$@]\(|@\{|[\n;|&{}()]/y;
const WORD =
  /@(['"])[ \t]*\r?(?=\n).*?(?:\n\1@|$)|(?:'[^']*(?:'|$)|"(?:[^"`]|`.?)*(?:"|$)|`.?|\$\{[^}\n]*\}?|>&|[^\s;|&{}()'"`])+/sy;
const ASSIGNING =
  /(?:\[[^\]\n;]{0,80}\]{1,2}[ \t]*)?(?:\$\w+[ \t]*,[ \t]*){0,9}\$(?:\{[^}\n]{1,80}\}|[\w:]+)(?:[.[][\w.$'"]{1,80}\]?)?[ \t]*[-+*/%?]{0,2}=(?!=)/y;

/** Tokens that may precede a statement. */
const LEADING =
  /^(?:if|else(?:if)?|while|until|do|for(?:each)?|switch|try|catch|finally|begin|process|end|return|throw|exit)$/i;
/** The beginning of a value or a declaration. */
const VALUE = /^(?:[\d$"'@[!,+(-]|(?:function|filter|class|enum|param|using)$)/i;
/** Beginnings that only PowerShell scripts have. */
const BEGINNING =
  /^\s*(?:<#|(?:\.{1,2}|[A-Za-z]:)\\\w|@['"]\s*\n|& ?["'\w$.]|(?:\[\w+\])?\$[\w:]+\s+[-+]?=\s|try\s*\{|foreach\s*\(|[A-Z][a-z]+-[A-Z][A-Za-z]+(?=[\s;|]|$))/;

/** Some tools always run PowerShell; for others only the script shows it. */
export function isPowerShell(source: string, rawTool: string): boolean {
  if (/^(?:powershell|pwsh)$/i.test(rawTool)) return true;
  return !/^bash$/i.test(rawTool) && BEGINNING.test(source);
}

interface Statement {
  readonly words: Argument[];
  readonly piped: boolean;
  kind: 'begin' | 'called' | 'command' | 'value';
  from: number;
  to: number;
  /** The next word is the file of a redirection. */
  isBeforeFile?: boolean;
}

export function parsePowerShell(source: string, limit: number): readonly PowerShellCommand[] {
  const found: PowerShellCommand[] = [];
  const outer: Statement[] = [];
  let now = begin(false);
  let at = 0;
  const take = (token: RegExp): string | undefined => {
    token.lastIndex = at;
    const text = token.exec(source)?.[0];
    at += text?.length ?? 0;
    return text;
  };
  const end = ({ words, from, to, piped }: Statement): void => {
    // `name = value` is an entry of a table.
    if (words.length > 0 && words[1]?.text !== '=') found.push({ words, text: source.slice(from, to), piped });
  };
  const takeMark = (mark: string, from: number): void => {
    if (/[({]$/.test(mark)) {
      outer.push(now);
      now = begin(false);
    } else if (mark === '&' && now.kind === 'begin') now.kind = 'called';
    else {
      end(now);
      const around = /[)}]/.test(mark) ? outer.pop() : undefined;
      now = around ?? begin(mark === '|');
      if (around !== undefined) addWord(now, '()', from);
    }
  };
  while (at < source.length && found.length < limit) {
    if (take(BLANK) !== undefined || (now.kind === 'begin' && take(ASSIGNING) !== undefined)) continue;
    const from = at;
    const mark = take(MARK);
    const word = mark === undefined ? take(WORD) : undefined;
    if (mark !== undefined) takeMark(mark, from);
    else if (word !== undefined) addWord(now, word, from);
    else at++;
  }
  for (const open of [now, ...outer.reverse()]) end(open);
  return found;
}

function begin(piped: boolean): Statement {
  return { words: [], piped, kind: 'begin', from: 0, to: 0 };
}

function addWord(statement: Statement, text: string, from: number): void {
  const { kind, words } = statement;
  if (kind === 'value' || (kind === 'begin' && LEADING.test(text))) return;
  if (kind === 'command') {
    statement.to = from + text.length;
    if (/^[\d*]?>/.test(text)) statement.isBeforeFile = text.endsWith('>');
    else if (statement.isBeforeFile) statement.isBeforeFile = false;
    else words.push({ value: toValue(text), text });
  } else if (text === '.') statement.kind = 'called';
  else if (kind === 'begin' && VALUE.test(text)) statement.kind = 'value';
  else {
    statement.kind = 'command';
    statement.from = from;
    statement.to = from + text.length;
    words.push({ value: toProgram(toValue(text)), text });
  }
}

/** PowerShell ignores case (`NPM` is `npm`), and a script without a folder is an installed one: `npm.ps1`. */
function toProgram(value: string): string {
  const name = value.replace(/^.*\\|\.(?:exe|cmd|bat)$|(?<=^[^\\/]+)\.ps1$/gi, '');
  return /^[A-Z]{2,}$/.test(name) ? name.toLowerCase() : name;
}

/** The word without quotes and escapes. No lesson is about a here-string. */
function toValue(text: string): string {
  return text.replace(/'((?:[^']|'')*)'?|"((?:[^"`]|`.?)*)"?|`(.?)/gs, toPlain);
}

function toPlain(_: string, single?: string, double?: string, escaped = ''): string {
  return single?.replaceAll("''", "'") ?? double?.replace(/`(.)/gs, '$1') ?? escaped;
}
