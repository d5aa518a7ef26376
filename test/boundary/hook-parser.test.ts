// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text has braces behind dollar signs.
/** The build shortens names in the shell parser of the hook's bundle. Both must read every command alike. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { Script } from 'node:vm';
import fc from 'fast-check';
import { buildSmall } from '../../scripts/shrink-parser.ts';
import { applyEdit } from '../../src/base/shell/command-edit.ts';
import { ANY_SHELL, parseCommand } from '../../src/base/shell/parse-command.ts';
import { toRuns } from '../to-runs.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Every construct of the shell, at least once. */
const COMMANDS = [
  'a && b || c; d | e |& f & g',
  'if a; then b; elif c; then d; else e; fi >out 2>&1',
  'for x in a "$(b)" c*; do d "$x"; done; for ((i = 0; i < $(n); i++)); do e; done',
  'while read -r l; do a "$l"; done < <(b); until c; do d; done',
  'case $x in a | b*) c ;; ?(d)) e ;& *) f ;;& esac',
  'select x in a b; do c; done; coproc N { a; }; time -p b; ! c',
  'f() { a "$1"; }; function g { b; } >/dev/null; (cd x && y); { z; }',
  '[[ $a == b* && -n $(c) || ! $d =~ ^e(f)$ ]] && (( x += $(g) + 1 ))',
  'cat <<EOF | a\n$(b) `c` ${d:-$(e)}\nEOF\nf',
  'cat <<-\'EOF\' >x\n\t$(no)\n\tEOF\ng <<<"$(h)"',
  'A=1 B=$(a) c=(d "$(e)" [2]=f) g+=h declare -a i=(j); local k=l',
  'echo ${a:-$(b)} ${c#*/} ${d//x/$(e)} ${f^^} ${#g} ${!h} ${i[@]:1:2} ${j@Q} $((1 + $(k) * 2)) $[1+1]',
  "echo $'a\\x41\\n' $\"b $(c)\" 'd' e{1..3} {f,$(g)} !(h|i) +([a-z]) ~/j \\k `l \\`m\\``",
  "bash -c 'a && b' && sudo -u x env A=1 c; xargs -n1 d; find . -exec e {} \\;",
  'a 3>&1 4<&- {fd}>x &>y >|z <>w 2>&1 >>v &>>u',
  'a "b',
  'a $(b',
  'if a; then',
  'a )',
  '<<',
];
const PIECES =
  "a;b;-x;|;||;&&;&;;;\n;(;);{;};$(;`;\";';$';${;};$((;));((;[[;]];=~;<<E;E;<(;>;2>&1;if;then;else;fi;for;in;do;done;case;esac;x=(;x=1;\\;#;*;?(;~;!;function;time;coproc;$x"
    .split(';')
    .concat(';', ' ', ' ', ' ');

type Parser = { readonly parseCommand: typeof parseCommand; readonly applyEdit: typeof applyEdit };

describe('the shell parser of the hook', () => {
  let small: Parser;
  before(async () => {
    const { outputFiles } = await buildSmall({
      absWorkingDir: ROOT,
      stdin: {
        contents:
          "export * from './src/base/shell/parse-command.ts'; export * from './src/base/shell/command-edit.ts';",
        resolveDir: ROOT,
      },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      metafile: true,
      write: false,
    });
    const module = { exports: {} };
    new Script(`(function (module) {${outputFiles?.[0]?.text}\n})`).runInThisContext()(module);
    small = module.exports as Parser;
  });

  const options = { withConditions: true };
  const edit = { program: 'a', steps: [{ from: ['-x'], to: ['-y'] }] };
  const check = (command: string): void => {
    assert.deepEqual(
      plain(small.parseCommand(command, ANY_SHELL, options)),
      plain(parseCommand(command, ANY_SHELL, options)),
      command,
    );
    assert.equal(small.applyEdit(edit, command), applyEdit(edit, command), command);
  };

  it('reads every construct of the shell as the sources do', () => {
    for (const command of COMMANDS) check(command);
    assert.equal(small.applyEdit(edit, 'b; a -x c'), 'b; a -y c');
  });

  it('reads whatever is typed as the sources do', () => {
    const command = fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join(''));
    fc.assert(fc.property(command, check), { numRuns: toRuns(2000) });
  });
});

/** Objects of another context have other prototypes. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
