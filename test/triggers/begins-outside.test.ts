/** Where a regular expression without a program matches: in what commands do, not in what they print. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseCommand } from '../../src/base/shell/parse-command.ts';
import { checkTriggers } from '../../src/base/triggers/check-triggers.ts';
import { listTexts } from '../../src/base/triggers/command-texts.ts';
import { makeCallView } from './make-call-view.ts';

function holds(regex: string, line: string, rawTool = 'Bash'): boolean {
  const call = makeCallView({ line, commands: parseCommand(line, { rawTool }) });
  return checkTriggers({ tools: ['shell'], command: { match: [regex] } }, {}, call).holds;
}

type Row = readonly [line: string, holds: boolean, regex?: string | undefined, rawTool?: string];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'a variable is no text, wherever in its name the match begins': [
    ['echo "$TOKEN"', true, 'TOKEN'],
    ['echo "$GITHUB_TOKEN"', true, 'TOKEN'],
    ['echo $GITHUB_TOKEN', true, 'TOKEN'],
    ['echo $GITHUB_TOKEN', true, '_TOKEN'],
    [`printf %s "\${GITHUB_TOKEN:-none}"`, true, 'TOKEN'],
    [`echo "\${#GITHUB_TOKEN}"`, true, 'TOKEN'],
    ['echo "$GITHUB_TOKEN"', true, '\\$[A-Z_]*TOKEN'],
    ['Write-Host "$env:GITHUB_TOKEN"', true, 'TOKEN', 'PowerShell'],
  ],
  'also behind a text that matches': [
    ['echo "TOKEN: $TOKEN"', true, 'TOKEN'],
    ['echo "TOKEN=$TOKEN" >> .env', true, 'TOKEN'],
    ['echo "it\'s TOKEN: $TOKEN"', true, 'TOKEN'],
    ['echo "$(date) TOKEN: $TOKEN"', true, 'TOKEN'],
    ['git commit -m "TOKEN is $TOKEN"', true, 'TOKEN'],
  ],
  'but only where the shell puts in its value': [
    ["git commit -m 'mask $TOKEN'", false, 'TOKEN'],
    ["git commit -m $'mask $TOKEN'", false, 'TOKEN'],
    ['git commit -m "mask \\$TOKEN"', false, 'TOKEN'],
    ["echo 'mask $TOKEN'", false, 'TOKEN'],
    ["git commit -m 'cost 5$ rm -rf'", false],
    ['git commit -m "cost $5 rm -rf"', false],
    [`echo "\${X:-TOKEN}"`, false, 'TOKEN'],
    ['git commit -m "$(cat <<\'EOF\'\nmask $TOKEN :)\nEOF\n)"', false, 'TOKEN'],
  ],
  'what runs in a text is a command': [
    ['echo "$(rm -rf x)"', true],
    ['git commit -m "$(rm -rf x)"', true],
    ['echo "`rm -rf x`"', true],
    ['echo "$(echo "rm -rf")"', false],
  ],
  'of a search only the pattern is a text': [
    ['grep -rn "rm -rf" src', false],
    ['grep -A 3 "rm -rf" run.sh', false],
    ['grep -v -e "rm -rf" run.sh', false],
    ['grep -E -i "rm -rf" run.sh', false],
    ['grep -rE --include="*.sh" "rm -rf|x" src', false],
    ['rg --regexp="rm -rf" src', false],
    ["rg -g '*.sh' 'rm -rf' src", false],
    ['git grep "rm -rf"', false],
    ['git -C web grep -n "rm -rf" -- src', false],
    ['pgrep -f "rm -rf"', false],
    ['Select-String "rm -rf" run.sh', false, undefined, 'PowerShell'],
    ['Select-String -Path run.sh -Pattern "rm -rf"', false, undefined, 'PowerShell'],
    ['Select-String -Path run.sh "rm -rf"', false, undefined, 'PowerShell'],
    ['grep -r x "node_modules/a"', true, 'node_modules'],
    ['grep -e x "node_modules/a"', true, 'node_modules'],
    ['grep -r --include="*.snap" x', true, '\\*\\.snap'],
    ["rg -g '**/dist' x", true, '\\*\\*/dist'],
  ],
  'messages are those of programs that have them': [
    ['git commit -qm "rm -rf"', false],
    ['git commit -m"rm -rf"', false],
    ['jj describe -m "rm -rf"', false],
    ['npm version patch -m "rm -rf"', false],
    ['gh pr create -t "rm -rf" -b "rm -rf"', false],
    ['gh api repos/a/b/issues -f body="rm -rf"', false],
    ['python3 -m "http.server"', true, 'http\\.server'],
    ['tool -b "rm -rf"', true],
  ],
  'what is printed into a program that runs it is done': [
    ['echo "rm -rf x" | bash', true],
    ['echo "rm -rf x" | sudo sh', true],
    ['echo "$(date) rm -rf x" | sh -x', true],
    ['printf "rm -rf x" | tee log | bash -s -- a', true],
    ['echo "rm -rf x" | ssh -p 22 host', true],
    ['echo "rm -rf x" | ssh host bash', true],
    ['echo "rm -rf x" | docker exec -i web sh', true],
    ['echo "DROP TABLE users" | psql -d shop', true, 'DROP TABLE'],
    ['echo "build -rf" | xargs rm', true, 'build -rf'],
    ['echo "a rm -rf" | tr " " "\\n" | sudo xargs -n 1 echo', true],
    ['for f in *; do echo "rm -rf $f"; done | sh', true],
    ['bash <<< "rm -rf x"', true],
    ['"rm -rf x", "y" | ls; Write-Output "rm -rf x" | iex', true, undefined, 'PowerShell'],
  ],
  'and what is printed into any other is not': [
    ['echo "rm -rf x" | grep rm', false],
    ['echo "rm -rf x" | tee run.sh', false],
    ['echo "rm -rf x" | python3 -c "import sys"', false],
    ['echo "rm -rf x" | bash check.sh', false],
    ["echo 'rm -rf x' | perl -pe's/x/y/'", false],
    ['echo "rm -rf x" | ssh host "cat >> notes"', false],
    ['echo "rm -rf x" | docker exec -i web cat', false],
    ['echo "rm -rf x" | psql -c "COPY notes FROM STDIN"', false],
    ['echo "rm -rf x"; cat run.sh | bash', false],
    ['echo "rm -rf x" || ls | xargs wc', false],
    ['echo "rm -rf x"; ls | xargs wc', false],
    ['grep "rm -rf" run.sh | bash', false],
    ['cat <<< "rm -rf"', false],
    ['cat <<< "$TOKEN"', true, 'TOKEN'],
  ],
  'a redirection between printed words is done': [
    ['echo > /etc/hosts "x"', true, '> /etc/hosts'],
    ['echo "> /etc/hosts"', false, '> /etc/hosts'],
    ['write-host "rm -rf"', false, undefined, 'PowerShell'],
  ],
  'a match begins behind what may be anything': [
    ...[
      '.*',
      '.+',
      '.*?',
      '(.*)',
      '(?:.*)',
      '[\\s\\S]*',
      '\\s+"?',
      '\\b.*',
      '^\\s*.*',
      '.{0,9}',
      '\\w*.*',
      '[^;]*',
      '^.*\\b',
    ].flatMap((first): Row[] => [
      ['git commit -m "rm -rf"', false, `${first}rm -rf`],
      ['echo "rm -rf"', false, `${first}rm -rf`],
      ['sudo -u web tool "rm -rf"', true, `${first}rm -rf`],
    ]),
    ['git commit -m "WIP"', true, 'git commit.*WIP'],
    ['git commit -m "WIP"', true, '.*commit.*WIP'],
    ['git commit -m "x" --no-verify', true, '\\s--no-verify'],
    ['git commit -m "no --no-verify"', false, '\\s--no-verify'],
  ],
};

describe('a regular expression without a program', () => {
  for (const [group, rows] of Object.entries(ROWS))
    it(group, () => {
      for (const [line, wanted, regex = 'rm -rf', rawTool] of rows)
        assert.equal(holds(regex, line, rawTool), wanted, `${regex} at ${line}`);
    });

  it('is searched in any command of a shell', () => {
    const parts = ['$(', '<<', ')', '"', "'", "$'", '`', '\\', '$X', '${X', '}', ' ', '<<<', 'x', '-m', '|', '\n'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (all) => {
        const text = all.join('');
        for (const program of ['echo', 'git', 'grep']) {
          holds('x', `${program} ${text}`);
          const args = [{ value: text, text }];
          for (const { from, to } of listTexts({ program, args, text: `${program} ${text}` }, true))
            assert.ok(from <= to && to <= program.length + 1 + text.length);
        }
      }),
    );
  });
});
