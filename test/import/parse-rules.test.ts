import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasNoTriggers } from '../../src/loop/import/candidate.ts';
import { parseRules } from '../../src/loop/import/parse-rules.ts';

const RULES = `# Project

- \`src/\` has the source
- **NEVER** run \`git push --force\`
* Use \`pnpm install\` instead of \`npm install\`,
  also in scripts
1. Do not edit \`src/generated/\`
- Prefer \`const\` over \`let\`

\`\`\`
- always in code, no rule
\`\`\`
<!-- - never in a comment -->
<!-- oncebitten:begin x -->
- never what we wrote there ourselves
<!-- oncebitten:end -->
Always a sentence, no bullet.
`;

describe('a list of rules', () => {
  const { candidates, skipped } = parseRules(RULES);

  it('is the bullets that state a rule, with the lines they go on with', () => {
    assert.deepEqual(
      candidates.map(({ name, summary }) => [name, summary]),
      [
        ['line 4', 'NEVER run `git push --force`'],
        ['line 5', 'Use `pnpm install` instead of `npm install`, also in scripts'],
        ['line 7', 'Do not edit `src/generated/`'],
        ['line 8', 'Prefer `const` over `let`'],
      ],
    );
    assert.equal(skipped, 1);
  });

  it('speaks at the command or the file that it names, at what it warns of first', () => {
    assert.deepEqual(
      candidates.map(({ triggers }) => triggers),
      [
        { tools: ['shell'], programs: [{ name: 'git', sub: ['push'], args: { all: ['--force'] } }] },
        { tools: ['shell'], programs: [{ name: 'npm', sub: ['install'] }] },
        { tools: ['edit', 'write'], paths: ['src/generated/**'] },
        { programs: [] },
      ],
    );
    assert.ok(hasNoTriggers(candidates[3]?.triggers ?? {}));
  });

  it('weighs more where it shouts', () => {
    assert.deepEqual(
      candidates.map(({ priority }) => priority),
      [7, 5, 5, 5],
    );
  });

  it('takes windows lines and very long ones', () => {
    assert.equal(parseRules('- never do this\r\n- always do that\r\n').candidates.length, 2);
    const [long] = parseRules(`- always ${'word '.repeat(1000)}`).candidates;
    for (const [text = '', max] of [[long?.summary, 300] as const, [long?.remediation, 2000] as const]) {
      assert.ok(text.length <= max && text.length > max - 10, `${text.length}`);
      assert.match(text, / word …$/);
    }
  });
});
