import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { gateFinding } from '../../src/distill/gate/gate-finding.ts';
import { userCorrection } from '../../src/distill/propose/user-words/user-correction.ts';
import { holdsInPast } from '../../src/loop/learning/past-calls.ts';
import { speaks } from './detect-pairs.ts';
import { failed, makeWindow, other, prompted, type Step, said, type Words, worked } from './session-script.ts';

function detect(...script: readonly (Step | Words)[]) {
  return userCorrection.detect(makeWindow(script));
}

interface Case {
  readonly before: string;
  readonly words: string;
  readonly after: string;
  readonly speaks: string;
  readonly silent: string;
}

/** Words, what they corrected, what was done then. */
const SEEN: readonly Case[] = [
  {
    before: 'npm install left-pad',
    words: 'no, use pnpm',
    after: 'pnpm add left-pad',
    speaks: 'npm install ms',
    silent: 'pnpm view ms',
  },
  {
    before: 'npm install left-pad',
    words: "Thanks! But please don't run npm install, use pnpm add.",
    after: 'pnpm add left-pad',
    speaks: 'npm install ms',
    silent: 'npm view ms',
  },
  {
    before: 'npm ci',
    words: 'The layout looks great. One thing: we use yarn here, not npm. Then go on with the header.',
    after: 'yarn install',
    speaks: 'npm test',
    silent: 'yarn test',
  },
  {
    before: 'go test ./...',
    words: 'you forgot the -race flag',
    after: 'go test -race ./...',
    speaks: 'go test ./a',
    silent: 'go test -race ./a',
  },
  {
    before: 'git commit --no-verify -m x',
    words: 'Never use --no-verify.',
    after: 'git commit -m x',
    speaks: 'git commit --no-verify -m y',
    silent: 'git commit -m y',
  },
  {
    before: 'git commit --amend -m x',
    words: "don't amend, make a new commit",
    after: 'git commit -m x',
    speaks: 'git commit --amend',
    silent: 'git commit -m y',
  },
  {
    before: 'pytest tests/a.py',
    words: 'I told you to use `uv run pytest`',
    after: 'uv run pytest tests/a.py',
    speaks: 'pytest -q',
    silent: 'uv run pytest -q',
  },
  {
    before: 'go test ./...',
    words: 'always run the tests with make test, never with go test',
    after: 'make test',
    speaks: 'go test ./b',
    silent: 'go build ./b',
  },
  {
    before: 'grep -rn needle src',
    words: 'could you please use rg instead of grep?',
    after: 'rg needle src',
    speaks: 'grep -rn pin src',
    silent: 'rg pin src',
  },
  {
    before: 'git checkout -b fix',
    words: 'you should have used git switch instead of git checkout',
    after: 'git switch -c fix',
    speaks: 'git checkout main',
    silent: 'git switch main',
  },
  {
    before: 'npm run build',
    words: "We don't use npm. Use pnpm.",
    after: 'pnpm run build',
    speaks: 'npm test',
    silent: 'pnpm test',
  },
  {
    before: 'npm install left-pad',
    words: 'non, utilise pnpm à la place de npm',
    after: 'pnpm add left-pad',
    speaks: 'npm install ms',
    silent: 'pnpm add ms',
  },
  {
    before: 'npm install left-pad',
    words: 'no, usa pnpm en vez de npm',
    after: 'pnpm add left-pad',
    speaks: 'npm install ms',
    silent: 'pnpm add ms',
  },
  {
    before: 'python tools/pack.py',
    words: 'python3, not python, on this machine',
    after: 'python3 tools/pack.py',
    speaks: 'python tools/unpack.py',
    silent: 'python3 tools/unpack.py',
  },
  {
    before: 'npm test',
    words: 'You ran npm test. This repo uses `npm run test:unit` for that.',
    after: 'npm run test:unit',
    speaks: 'npm test',
    silent: 'npm run test:unit -- a',
  },
];

describe('user-correction', () => {
  for (const { before, words, after, speaks: wrong, silent } of SEEN)
    it(`sees "${words}"`, () => {
      const [finding, ...more] = detect(worked(before), prompted(words), other('read', '/repo/a'), worked(after));
      assert.ok(finding);
      assert.deepEqual(more, []);
      assert.equal(finding.kind, 'corrected-by-user');
      assert.ok(finding.signals.includes('user-corrected'));
      const isStated = finding.steps === 0;
      if (!isStated) assert.deepEqual([finding.failingCallId, finding.fixingCallId], ['call-0', 'call-3']);
      assert.ok(speaks(finding, before), 'on the corrected command');
      assert.ok(!speaks(finding, after), 'silent on what the user wants');
      assert.ok(speaks(finding, wrong));
      assert.ok(!speaks(finding, silent));
    });

  it('keeps the words of the user, and says which program they were about', () => {
    const [finding] = detect(
      worked('cd web && npm install ms'),
      prompted('no, use pnpm'),
      worked('cd web && pnpm add ms'),
    );
    assert.equal(finding?.summary, 'Use `pnpm` instead of `npm`');
    assert.equal(finding?.mistake, 'The user said: "no, use pnpm"');
  });

  it('sees one that came after a failure, and tells it from the failure', () => {
    const error = failed('npm install ms', 'npm error EUNSUPPORTEDPROTOCOL workspace:');
    const [finding] = detect(error, prompted('no, we use pnpm'), worked('pnpm add ms'));
    assert.equal(finding?.signature.template.includes('workspace'), false);
  });

  it('takes a plain instruction for a correction when the user stopped the agent to give it', () => {
    const stopped: Step = { ...worked('npm install ms'), outcome: 'cancelled', outcomeType: 'interrupt' };
    const words = prompted('now use pnpm for the rest of the work');
    assert.equal(detect(stopped, words, worked('pnpm add ms')).length, 1);
    assert.equal(detect(worked('npm install ms'), words, worked('pnpm add ms')).length, 0);
  });

  it('sees a tool of the agent asked for in the place of a program', () => {
    const [finding] = detect(
      worked("sed -i 's/a/b/' src/a.ts"),
      prompted("don't use sed, use the edit tool"),
      other('edit', '/repo/src/a.ts'),
    );
    assert.ok(finding);
    assert.ok(speaks(finding, "sed -i 's/x/y/' src/b.ts"));
  });

  it('marks what was said for good', () => {
    const [finding] = detect(worked('npm ci'), prompted('no, from now on we use pnpm'), worked('pnpm install'));
    assert.deepEqual(finding?.signals, ['user-corrected', 'stated-lesson']);
  });

  it('waits for a person', () => {
    const window = makeWindow([worked('npm install ms'), prompted('no, we use pnpm'), worked('pnpm add ms')]);
    const [finding] = userCorrection.detect(window);
    assert.ok(finding);
    assert.equal(gateFinding(finding, window.calls, holdsInPast).verdict, 'draft');
  });

  it('tells a finding once: when the call comes that does as was said', () => {
    const script = [worked('npm install ms'), prompted('no, use pnpm'), worked('pnpm add ms'), worked('pnpm install')];
    assert.equal(userCorrection.detect({ ...makeWindow(script, 1), spokenFrom: 1 }).length, 1);
    assert.equal(userCorrection.detect({ ...makeWindow(script, 2), spokenFrom: 1 }).length, 0);
  });
});

/** The calls would fit, the words do not correct. */
const NO_CORRECTION: readonly string[] = [
  'should we use pnpm instead of npm?',
  'why npm and not pnpm?',
  "why don't we use pnpm?",
  'can we use pnpm instead of npm',
  'what about pnpm instead of npm?',
  'do we always use npm, or pnpm?',
  'did you use pnpm or npm?',
  'how about we use pnpm, not npm',
  'no explain how npm works and why it is better than pnpm',
  'maybe use pnpm instead of npm',
  'I think we use pnpm here, not npm',
  "I'm not sure we use pnpm, not npm",
  "let's use pnpm instead of npm for the next part",
  'I want to use pnpm instead of npm',
  'use pnpm if npm is not there',
  "don't use npm for now, use pnpm",
  'just this once, use pnpm instead of npm',
  'no problem, use pnpm',
  'no rush',
  'no worries, npm is fine',
  'no need to use pnpm instead of npm',
  "don't worry about npm, use pnpm",
  'never mind, use pnpm, not npm',
  'not bad! use pnpm',
  'great, thanks! npm works, pnpm would too',
  'perfect, now run the pnpm build',
  'now add pnpm to the docs',
  'use pnpm to publish the package',
  'please write a guide: how to use pnpm',
  'the docs say "we use pnpm here, not npm"',
  "> don't use npm, use pnpm\nwhat does that mean",
  '$ npm install\nerror: use pnpm instead of npm',
  'npm ERR! this repo uses pnpm, not npm',
  '[ci] always use pnpm, never npm',
  '```\nwe use pnpm, not npm\n```',
  'src/a.ts:3:5 error: use pnpm instead of npm',
  '1. we use pnpm, not npm\n2. rename the folder',
  `${'The installer was written long ago and nobody knows why. '.repeat(20)} We use pnpm, not npm.`,
  'it always works with pnpm',
  'no luck running pnpm install',
  'I used pnpm instead of npm before',
  'great that you used npm, not pnpm',
  'good call to use pnpm instead of npm, nice work',
  'pnpm is faster, never seen npm win',
  'ok',
  '',
];

describe('user-correction: words that correct nothing', () => {
  for (const words of NO_CORRECTION)
    it(`lets "${words.slice(0, 60).replaceAll('\n', ' / ')}" pass`, () => {
      assert.deepEqual(detect(worked('npm install ms'), prompted(words), worked('pnpm add ms')), []);
    });
});

/** The words correct, but nothing links them to the calls. */
const NO_LINK: Readonly<Record<string, readonly (Step | Words)[]>> = {
  'a program that nobody ran': [worked('npm install ms'), prompted('no, use pnpm'), worked('git status')],
  'nothing was done': [worked('npm install ms'), prompted('no, use pnpm')],
  'what was asked for failed': [worked('npm install ms'), prompted('no, use pnpm'), failed('pnpm add ms', 'error: no')],
  'the corrected way went on': [
    worked('npm install ms'),
    prompted('no, use pnpm'),
    worked('npm install ms && pnpm add ms'),
  ],
  'words about code': [
    worked('grep -rn oldName src'),
    prompted('no, use newName instead of oldName'),
    worked('grep -rn newName src'),
  ],
  'words about a text': [
    worked('go test ./...'),
    prompted('you should use the word "step" instead of "stage"'),
    worked('go test -run Step ./...'),
  ],
  'a word that is a program by chance': [
    worked('npm test'),
    prompted('that is wrong, make sure the test is green and always go on'),
    worked('make test'),
  ],
  'a file of the day': [worked('git add a.ts'), prompted('no, use b.ts, not a.ts'), worked('git add b.ts')],
  'a number of the day': [worked('gh pr view 12'), prompted('wrong, use 13, not 12'), worked('gh pr view 13')],
  'a deed forbidden without another in its place': [
    worked('git commit -m x'),
    prompted("I didn't ask you to commit"),
    worked('git status'),
  ],
  'a new task after the old one': [
    worked('git commit -m x'),
    prompted('no, just commit and push'),
    worked('git push origin x'),
  ],
  'an answer to the next prompt': [
    worked('npm install ms'),
    prompted('no, use pnpm'),
    worked('ls'),
    prompted('now publish it'),
    worked('pnpm add ms'),
  ],
  'words long after': [
    worked('npm install ms'),
    ...Array.from({ length: 6 }, () => other('read', '/repo/a')),
    prompted('no, use pnpm'),
    worked('pnpm add ms'),
  ],
  'a fix that comes late': [
    worked('npm install ms'),
    prompted('no, use pnpm'),
    ...Array.from({ length: 8 }, () => other('read', '/repo/a')),
    worked('pnpm add ms'),
  ],
  'words before any call': [prompted('no, use pnpm'), worked('npm install ms'), worked('pnpm add ms')],
  'words of the agent': [worked('npm install ms'), said('no, from now on we use pnpm'), worked('pnpm add ms')],
  'the end of a pipe': [worked('ls | grep a'), prompted("don't use grep, use rg"), worked('ls | rg a')],
};

describe('user-correction: corrections without a link', () => {
  for (const [title, script] of Object.entries(NO_LINK))
    it(`leaves alone: ${title}`, () => {
      assert.deepEqual(detect(...script), []);
    });

  it('does not listen to the prompts of a sub-agent', () => {
    const window = makeWindow([worked('npm install ms'), prompted('no, use pnpm'), worked('pnpm add ms')]);
    const inside = {
      ...window,
      calls: window.calls.map((call) => ({ ...call, contextId: 'sub-1' })),
      spoken: window.spoken.map((one) => ({ ...one, contextId: 'sub-1' })),
    };
    assert.deepEqual(userCorrection.detect(inside), []);
  });

  it('says nothing without words', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 6 }), (commands) => {
        assert.deepEqual(detect(...commands.map((command) => worked(command))), []);
      }),
    );
  });

  const word = fc.constantFrom(
    ...[
      'no,',
      'use',
      "don't",
      'not',
      'npm',
      'pnpm',
      '`',
      '"',
      '-y',
      '--',
      'instead of',
      'run',
      '?',
      '.',
      '\n',
      'always',
    ],
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(word, { maxLength: 20 }).map((words) => words.join(' ')),
  );

  it('never throws, whatever is said', () => {
    fc.assert(
      fc.property(text, text, text, (words, before, after) => {
        detect(worked(before), prompted(words), worked(after));
      }),
    );
  });

  it('speaks on what was corrected and never on what was done then', () => {
    const command = fc.constantFrom('npm install a', 'npm -y a', 'pnpm a', 'pnpm install a', 'npm run a', 'npm');
    fc.assert(
      fc.property(text, command, command, (words, before, after) => {
        const found = detect(worked(before), prompted(words), worked(after));
        // What words state by themselves needs no call.
        for (const finding of found.filter(({ steps }) => steps > 0)) {
          assert.ok(speaks(finding, before));
          assert.ok(!speaks(finding, after));
        }
      }),
    );
  });
});
