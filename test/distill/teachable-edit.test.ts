import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Finding } from '../../src/base/model/finding.ts';
import { applyEdit } from '../../src/base/shell/command-edit.ts';
import { ANY_SHELL, parseCommand } from '../../src/base/shell/parse-command.ts';
import type { SimpleCommand } from '../../src/base/shell/simple-command.ts';
import type { Detector } from '../../src/distill/detector.ts';
import { findTeachableEdit, type Pointer } from '../../src/distill/episodes/teachable-edit.ts';
import { hang } from '../../src/distill/propose/commands/hang.ts';
import { knownFix } from '../../src/distill/propose/known-fix.ts';
import { selfReport } from '../../src/distill/propose/self-reports/detect-reports.ts';
import { refusedCall } from '../../src/distill/propose/user-words/refused-call.ts';
import { userCorrection } from '../../src/distill/propose/user-words/user-correction.ts';
import { retell } from '../../src/distill/text/retell-lesson.ts';
import { toShortCommand } from '../../src/distill/text/to-short-command.ts';
import { toRuns } from '../to-runs.ts';
import { denied, makeSigned } from './detect-pairs.ts';
import { failed, prompted, type Step, said, type Words, worked } from './session-script.ts';

interface Pair {
  readonly detector: Detector;
  readonly script: readonly (Step | Words)[];
  /** A later call, and the call that the edit makes of it. */
  readonly call: string;
  readonly corrected: string | undefined;
}

const HUNG: Step = { tool: 'shell', outcome: 'failure', outcomeType: 'timeout', output: 'Command timed out' };

/** In each of them the working call also differs in what was wanted that day: `prod`, `db2`, `--verbose`. */
const PAIRS: readonly Pair[] = [
  {
    detector: knownFix,
    script: [
      failed('acme pr create api', 'required flag(s) "base" not set'),
      worked('acme pr create --base prod --host db2 --verbose api'),
    ],
    call: 'acme pr create web',
    corrected: undefined,
  },
  {
    detector: knownFix,
    script: [failed('acme run api', 'missing flag: --quick'), worked('acme run --quick --env=prod --verbose api')],
    call: 'acme run web',
    corrected: 'acme run --quick web',
  },
  {
    detector: selfReport,
    script: [
      failed('acme sync api --fast', 'it broke'),
      worked('acme sync api --quick --env=prod --verbose'),
      said('#lesson\ntool: Bash\ntrigger: acme sync --fast\nmistake: --fast breaks it\nfix: use --quick\n#/lesson'),
    ],
    call: 'acme sync web --fast',
    corrected: 'acme sync web --quick',
  },
  {
    detector: hang,
    script: [{ ...HUNG, command: 'acme log api' }, worked('acme log --no-pager --env=prod --verbose api')],
    call: 'acme log web',
    corrected: 'acme log --no-pager web',
  },
  {
    detector: knownFix,
    script: [failed('acme list api', 'the environment is not set'), worked('ACME_ENV=prod acme list api')],
    call: 'acme list web',
    corrected: undefined,
  },
  {
    detector: knownFix,
    script: [
      failed('acme push api', 'not logged in'),
      worked('acme login --env prod --host db2'),
      worked('acme push api'),
    ],
    call: 'acme push web',
    corrected: undefined,
  },
  {
    detector: userCorrection,
    script: [
      worked('npm install left-pad'),
      prompted('no, use pnpm'),
      worked('pnpm add --env prod --host=admin left-pad'),
    ],
    call: 'npm install ms',
    corrected: undefined,
  },
  {
    detector: refusedCall,
    script: [
      denied('git push', 'pull rebase first'),
      worked('git pull --rebase --strategy prod --log=prod'),
      worked('git push'),
    ],
    call: 'git push',
    corrected: undefined,
  },
];

function detect({ detector, script }: Pair): readonly Finding[] {
  return detector.detect(makeSigned(script));
}

describe('of two calls that differ in more than the mistake', () => {
  for (const pair of PAIRS) {
    const [before, after] = pair.script.flatMap((step) => ('command' in step ? [step.command] : []));
    it(`${pair.detector.name} tells no value of that day: ${before} -> ${after}`, () => {
      const [finding] = detect(pair);
      assert.ok(finding, 'nothing was seen');
      const { summary, mistake, remediation, edit } = finding;
      assert.doesNotMatch(JSON.stringify([summary, mistake, remediation, edit ?? '']), /prod|db2|admin/);
      assert.equal(edit === undefined ? undefined : applyEdit(edit, pair.call), pair.corrected);
    });
  }

  it('keeps a value that the error names together with its option', () => {
    const [finding] = knownFix.detect(
      makeSigned([
        failed('acme run api', 'missing option: --mode quick'),
        worked('acme run --mode quick --env=prod api'),
      ]),
    );
    assert.equal(applyEdit(finding?.edit ?? { program: '', steps: [] }, 'acme run web'), 'acme run --mode quick web');
  });

  it('a lesson that is told anew from its evidence tells no value of that day either', () => {
    const lesson = { summary: '`acme run` fails here', tags: [] };
    const told = retell(lesson, '`acme run api` failed: it broke\nfixed by: acme run --quick --env=prod api');
    assert.ok(told);
    assert.doesNotMatch(JSON.stringify(told), /prod/);
  });
});

describe('whatever two calls differ in', () => {
  const VALUES = ['prod', 'staging', 'team-b', 'db2'];
  const value = fc.constantFrom(...VALUES);
  const option = fc.constantFrom('--env', '--bad', '--quick', '-n', '--all');
  const argument = fc.oneof(
    option,
    value,
    fc.tuple(option, value).map((pair) => pair.join(' ')),
    fc.tuple(option, value).map((pair) => pair.join('=')),
  );
  const line = fc
    .tuple(fc.constantFrom('acme run', 'acme start', 'via --with prod acme run'), fc.array(argument, { maxLength: 5 }))
    .map(([head, args]) => [head, ...args].join(' '));
  const toPointers = (failing: SimpleCommand): readonly Pointer[] => [
    { message: 'unknown flag: --bad' },
    { words: ['--bad', '--quick'], message: 'required flag(s) "quick" not set' },
    { program: true, message: 'it broke' },
    { culprit: { role: 'option', command: failing, sub: ['run'], word: '--bad', message: 'unknown flag: --bad' } },
  ];

  it('an edit brings no value that the error does not name, and gives none to a later call', () => {
    fc.assert(
      fc.property(line, line, (wrong, right) => {
        const [failing, fixing] = [parseCommand(wrong, ANY_SHELL)[0], parseCommand(right, ANY_SHELL)[0]];
        if (failing === undefined || fixing === undefined) return;
        for (const points of toPointers(failing)) {
          const edit = findTeachableEdit({ failed: failing, fixing, points });
          const brought = edit?.steps.flatMap((step) => ('from' in step ? step.to : [])) ?? [];
          for (const word of brought)
            assert.ok(typeof word !== 'string' || !VALUES.some((one) => word.includes(one)), JSON.stringify(edit));
          const corrected = edit && applyEdit(edit, 'acme run --bad mine --quick=own');
          for (const one of VALUES) assert.ok(corrected?.includes(one) !== true, corrected);
        }
      }),
      { numRuns: toRuns(3000) },
    );
  });
});

describe('a command that is too long to be told whole', () => {
  it('is told with its sub-command and options, without objects', () => {
    const [command] = parseCommand(`acme create ${'--label important '.repeat(8)} --all "a long title"`, ANY_SHELL);
    assert.ok(command);
    assert.match(toShortCommand(command, 100), /^acme create --label .*--all$/);
  });
});

describe('the difference between two calls', () => {
  it('becomes an edit in one place only, which asks what the error points at', () => {
    const root = join(import.meta.dirname, '../../src');
    const using = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('base'))
      .filter((file) =>
        /\b(?:toEdit|toLasting)\b[^;]*from '[^']*find-edit\.ts'/.test(readFileSync(join(root, file), 'utf8')),
      );
    assert.deepEqual(using, ['distill/episodes/teachable-edit.ts']);
  });
});
