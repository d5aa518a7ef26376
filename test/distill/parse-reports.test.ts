import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseReports } from '../../src/distill/propose/self-reports/parse-reports.ts';
import { REPORT_PROTOCOL } from '../../src/distill/propose/self-reports/report-protocol.ts';
import { isMalformed, type SelfReport } from '../../src/distill/propose/self-reports/self-report.ts';
import { toRuns } from '../to-runs.ts';

const LESSON = [
  '#lesson',
  'tool: Bash',
  'trigger: gh pr diff 7 --stat',
  'mistake: gh pr diff has no --stat',
  'fix: gh pr diff 7 --name-only',
  'tags: tool:gh, severity:low',
  '#/lesson',
];
const KNOWLEDGE = [
  '[PROCESS_KNOWLEDGE]',
  'type: checklist',
  'priority: CRITICAL',
  'label: Version bump files',
  'trigger_conditions:',
  '  tool_names: [Write, Edit]',
  '  file_patterns: ["**/plugin.json"]',
  '  action_keywords: [release]',
  'checklist:',
  '  title: Complete version bump',
  '  items: [the manifest, "the lock file"]',
  '[/PROCESS_KNOWLEDGE]',
];

function only(text: string): SelfReport {
  const [report, ...more] = parseReports(text);
  assert.ok(report !== undefined && !isMalformed(report) && more.length === 0, JSON.stringify([report, ...more]));
  return report;
}

const said = ({ tools, trigger, mistake, fix, tags }: SelfReport) => ({ tools, trigger, mistake, fix, tags });
const EXPECTED = {
  tools: ['Bash'],
  trigger: 'gh pr diff 7 --stat',
  mistake: 'gh pr diff has no --stat',
  fix: 'gh pr diff 7 --name-only',
  tags: ['tool:gh', 'severity:low'],
};

describe('#lesson blocks', () => {
  it('are read key by key', () => {
    assert.deepEqual(said(only(LESSON.join('\n'))), EXPECTED);
  });

  for (const [dress, lines] of [
    ['in capitals', LESSON.map((line) => line.replace(/^#?\/?\w+/, (word) => word.toUpperCase()))],
    ['in a quotation', LESSON.map((line) => `> ${line}`)],
    ['in a quotation of a quotation', LESSON.map((line) => `> > ${line}`)],
    ['in a fence', ['```text', ...LESSON, '```']],
    ['in a list', LESSON.map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`))],
    ['with a list inside', LESSON.map((line) => (line.startsWith('#') ? line : `* ${line}`))],
    ['with emphasis', LESSON.map((line) => line.replace(/^(\w+):/, '**$1:**'))],
    ['with words before and after', ['Done!', '', ...LESSON, '', 'Anything else?']],
    ['with keys that nobody knows', [...LESSON.slice(0, 3), 'mood: bad', 'since: yesterday', ...LESSON.slice(3)]],
    ['without an end', LESSON.slice(0, -1)],
    ['without an end, before other words', [...LESSON.slice(0, -1), '', 'The diff is: fine']],
    ['begun on the line of the marker', [`#lesson ${LESSON[1]}`, ...LESSON.slice(2)]],
  ] as const) {
    it(`are read ${dress}`, () => assert.deepEqual(said(only(lines.join('\n'))), EXPECTED));
  }

  it('are read with the line ends of Windows', () => {
    assert.deepEqual(said(only(LESSON.join('\r\n'))), EXPECTED);
  });

  it('may have values of several lines, also such that look like a key', () => {
    const lines = ['#lesson', 'mistake: it said', '  Error: no such flag', '', 'fix: |', '  first this', '  then that'];
    const { mistake, fix } = only([...lines, '#/lesson'].join('\n'));
    assert.deepEqual([mistake, fix], ['it said Error: no such flag', 'first this then that']);
  });

  it('have defaults for keys that are missing', () => {
    const expected = { tools: [], trigger: '', mistake: 'the flag is gone', fix: 'gh pr view', tags: [] };
    assert.deepEqual(said(only('#lesson\nmistake: the flag is gone\nfix: gh pr view\n#/lesson')), expected);
  });

  it('may be several, each with the line it begins at', () => {
    const text = ['first', ...LESSON, 'then', ...KNOWLEDGE, ...LESSON.slice(0, 4)].join('\n');
    assert.deepEqual(
      parseReports(text).map(({ form, line }) => [form, line]),
      [
        ['lesson', 2],
        ['process-knowledge', 10],
        ['lesson', 22],
      ],
    );
  });

  it('lose what could draw on a terminal or hide in a text', () => {
    const { mistake } = only('#lesson\nmistake: a\u001b[31mb\u202e\u200bc\nfix: gh pr view\n#/lesson');
    assert.equal(mistake, 'abc');
  });

  it('are not words in a sentence, and not a heading', () => {
    for (const text of ['I write #lesson blocks', '# Lesson\nfix: x y', '#lessons\nfix: x y', '#lesson is a tag'])
      assert.deepEqual(parseReports(text), [], text);
  });
});

describe('[PROCESS_KNOWLEDGE] blocks', () => {
  it('are read by their type', () => {
    const { type, body, tools, paths, mistake, fix, label } = only(KNOWLEDGE.join('\n'));
    assert.deepEqual(
      { type, body, tools, paths, mistake, fix, label },
      {
        label: 'Version bump files',
        type: 'checklist',
        body: { title: 'Complete version bump', items: ['the manifest', 'the lock file'] },
        tools: ['Write', 'Edit'],
        paths: ['**/plugin.json'],
        mistake: 'Version bump files',
        fix: 'the manifest; the lock file',
      },
    );
  });

  for (const [type, inner, expected] of [
    [
      'pattern',
      ['when: a migration', 'do: run it twice', 'why: it must be repeatable'],
      ['it must be repeatable', 'run it twice'],
    ],
    [
      'warning',
      ['risk: the queue is lost', 'severity: high', 'mitigate: drain first'],
      ['the queue is lost', 'drain first'],
    ],
    [
      'requirement',
      ['constraint: sign commits', 'why: CI rejects others', 'verify: git log'],
      ['CI rejects others', 'sign commits'],
    ],
  ] as const) {
    it(`know a ${type}, nested or flat, in any case and indentation`, () => {
      const nested = [
        '[Process_Knowledge]',
        `type: ${type.toUpperCase()}`,
        `${type}:`,
        ...inner.map((one) => `  ${one}`),
      ];
      const flat = ['[process_knowledge]', `type: ${type}`, ...inner];
      for (const lines of [nested, flat, flat.map((line) => `    ${line}`), flat.map((line) => `> ${line}`)]) {
        const report = only([...lines, '[/process_knowledge]'].join('\n'));
        assert.deepEqual([report.type, report.mistake, report.fix], [type, ...expected]);
      }
    });
  }

  it('take a text where a list is expected, and ignore what nobody knows', () => {
    const { tools, paths } = only(
      '[PROCESS_KNOWLEDGE]\nlabel: x y\nfix: z\ncolour: {red: [1]}\ntrigger_conditions: {tool_names: Bash, file_patterns: 7}\n[/PROCESS_KNOWLEDGE]',
    );
    assert.deepEqual([tools, paths], [['Bash'], ['7']]);
  });
});

describe('what is no report', () => {
  it('is our own protocol, and every example with placeholders', () => {
    assert.deepEqual(parseReports(REPORT_PROTOCOL), []);
    const shown = (mistake: string, fix: string) => `#lesson\ntool: Bash\nmistake: ${mistake}\nfix: ${fix}\n#/lesson`;
    for (const text of [
      shown('what went wrong and why', 'the correction that resolved it'),
      shown('<what went wrong>', '<what fixed it>'),
      shown('…', '...'),
      shown('{mistake}', '{fix}'),
      shown('', '…'),
      '#lesson … #/lesson',
      '#lesson\n…\n#/lesson',
      KNOWLEDGE.map((line) => (line.includes('items') ? '  items: [ … ]' : line)).join('\n'),
    ])
      assert.deepEqual(parseReports(text), [], text);
  });

  it('is told with its reason and its line, and with none of its words', () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['x\n#lesson\nsomething went wrong with zebra\n#/lesson', /none of the keys/],
      ['x\n#lesson\ntool: Bash\ntags: tool:zebra\n#/lesson', /neither what went wrong nor what helped/],
      ['x\n#lesson\ntool: Bash\nmistake: only zebra', /no end/],
      ['x\n[PROCESS_KNOWLEDGE]\nlabel: [zebra\n[/PROCESS_KNOWLEDGE]', /YAML does not parse/],
      ['x\n[PROCESS_KNOWLEDGE]\na: &zebra [b]\nc: *zebra\n[/PROCESS_KNOWLEDGE]', /YAML does not parse/],
      ['x\n[PROCESS_KNOWLEDGE]\nzebra\n[/PROCESS_KNOWLEDGE]', /no keys/],
      [`x\n#lesson\nmistake: zebra [… 12\nfix: a […123 0123456789abcdef] b\n#/lesson`, /long text was cut/],
    ];
    for (const [text, reason] of cases) {
      const [report] = parseReports(text);
      assert.ok(report !== undefined && isMalformed(report), text);
      assert.match(report.malformed, reason);
      assert.equal(report.line, 2);
      assert.ok(!JSON.stringify(report).includes('zebra'));
    }
  });
});

describe('the tags of a block of process knowledge', () => {
  const tags = (line: string): readonly string[] =>
    only([...KNOWLEDGE.slice(0, -1), line, ...KNOWLEDGE.slice(-1)].join('\n')).tags;

  it('are kept, topics and bare words too', () => {
    assert.deepEqual(tags('tags: [topic:release, Docs, tool:npm]'), ['topic:release', 'docs', 'tool:npm']);
    assert.deepEqual(tags('tags: topic:release tool:npm'), ['topic:release', 'tool:npm']);
  });

  it('are neither prose, placeholders nor the topics by which rules merge and refute lessons', () => {
    assert.deepEqual(tags('tags: see the docs, none, https://evil.example'), []);
    const ruling = ['absent-path', 'search-path', 'cli-flag', 'shell-word', 'self-reported'];
    assert.deepEqual(tags(`tags: [${ruling.map((topic) => `topic:${topic}`).join(', ')}]`), []);
  });
});

describe('hostile blocks', () => {
  it('cost nothing: references, depth, size, tags of their own', () => {
    const bomb = Array.from({ length: 20 }, (_, i) => `k${i}: &k${i} [${`*k${i - 1},`.repeat(9)}x]`).slice(1);
    for (const inner of [
      ['k0: &k0 x', ...bomb].join('\n'),
      `a: ${'['.repeat(1_900)}`,
      Array.from({ length: 110 }, () => `a: ${'x'.repeat(1_000)}`).join('\n'),
      'a: !!js/function "function () { return 1 }"\nb: !!binary aaaa',
      'label: x\n<<: {fix: y}',
      '__proto__: {fix: polluted}\nlabel: __proto__',
    ]) {
      // The references alone would become 9^19 values: that they end is what is tested.
      assert.ok(parseReports(`[PROCESS_KNOWLEDGE]\n${inner}\n[/PROCESS_KNOWLEDGE]`));
    }
    assert.equal(({} as { fix?: string }).fix, undefined);
  });

  it('never throw, and say the same twice', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...LESSON,
        ...KNOWLEDGE,
        '',
        '```',
        '> ',
        '- ',
        '…',
        '&a',
        '*a',
        '\t',
        '\r',
        '[/process_knowledge',
      ),
      fc.string({ maxLength: 30, unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom('\n', '\r\n', '\r', ''), (pieces, end) => {
        const text = pieces.join(end);
        assert.deepEqual(parseReports(text), parseReports(text));
      }),
      { numRuns: toRuns(500) },
    );
  });

  it('any value of a key comes back, or is told', () => {
    const word = fc.stringMatching(/^[a-z]{4,8}( [a-z]{4,8}){2,4}$/);
    fc.assert(
      fc.property(word, word, (mistake, fix) => {
        const report = only(`#lesson\nmistake: ${mistake}\nfix: ${fix}\n#/lesson`);
        assert.deepEqual([report.mistake, report.fix], [mistake, fix]);
      }),
      { numRuns: toRuns(100) },
    );
  });
});
