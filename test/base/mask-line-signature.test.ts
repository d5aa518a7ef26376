import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { maskLine } from '../../src/base/text/masking.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { assertLinear } from '../measure-cpu.ts';
import { toRuns } from '../to-runs.ts';

const MASKED: Readonly<Record<string, readonly (readonly [line: string, template: string])[]>> = {
  numbers: [
    ['done in 12.5s, 3,000 rows, 45%', 'done in <*> row, <*>'],
    ['took 10 ms of 2 KB', 'took <*> of <*>'],
    ['found 1 error', 'found <*> error'],
    ['found 12 errors', 'found <*> error'],
    ['worker5 lost node-17', '<*> lost <*>'],
  ],
  times: [
    ['at Fri Jun 17 07:07:00 2005 it ended', 'at <*> it ended'],
    ['2026-01-02T03:04:05.678Z late', '<*> late'],
    ['2026-01-02 03:04:05,678 late', '<*> late'],
  ],
  addresses: [
    ['from 10.0.0.1:8080 to [::1]:80', 'from <*> to [<*>]:<*>'],
    ['host a-1.example.com is 00:1b:44:11:3a:b7', 'host <*> is <*>'],
    ['get https://example.test/a?b=1, mail a.b@example.test', 'get <*>, mail <*>'],
  ],
  paths: [
    ['open /a/b.txt: denied', 'open <*>: denied'],
    ['open C:\\a\\b.txt: denied', 'open <*>: denied'],
    ['open ~/x ./y ../z src/a.ts:3:5', 'open <*>'],
    ['package.json is broken', '<*> is broken'],
    ['an input/output error', 'an input/output error'],
  ],
  ids: [
    ['job 6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'job <*>'],
    ['bad object 1f3a9bc', 'bad object <*>'],
    ['at 0xdeadbeef or 00106570', 'at <*> or <*>'],
    ['image sha256:0f5a7b8c9d0e1f2a gone', 'image <*> gone'],
    ['block blk_-69522958 and blk_12', 'block <*> and <*>'],
    ['attempt_14_0020_m_000001 and attempt_14_0020_r_000002', '<*> and <*>'],
  ],
  quotes: [
    [`branch "a b" and 'c' and \`d\` and ‘e’`, 'branch <*> and <*> and <*> and <*>'],
    [`it can't find the user's 'x'`, `it can't find the user's <*>`],
    [`unknown option '--stat'`, 'unknown option --stat'],
    ['level=error msg="cannot open \\"x\\" now"', 'level=error msg=<*> cannot open <*> now'],
    ['{"message": "Not Found"}', '{message: Not Found}'],
  ],
  values: [
    ['login of user root failed', 'login of user <*> failed'],
    ['no such user is known', 'no such user is known'],
    ['uid=0 tty=ssh ruser= error=ENOENT', 'uid=<*> tty=<*> ruser=<*> error=ENOENT'],
    ['peers: 10.0.0.1, 10.0.0.2, 10.0.0.3 left', 'peers: <*> left'],
    ['no queue named orders, no table: users', 'no queue named <*>, no table: <*>'],
    ['10.0.0.1 "GET /a/b HTTP/1.1" failed, "POST /c HTTP/1.1" too', '<*> GET <*> failed, POST <*> too'],
    ['error (at <stdin>:3): no, error (at a.json:7): no', 'error (at <*>): no, error (at <*>): no'],
  ],
};

/** Words that must not be masked, because they name the cause. */
const KEPT = [
  'error TS2345: no',
  'unknown flag: --stat',
  'HTTP 404: Not Found',
  'java.lang.NullPointerException: mapred.job.id is deprecated',
  'listen EADDRINUSE: address already in use',
  'a = b',
];

const PIECES = fc.constantFrom(
  ...[
    '<*>',
    '<*>,',
    'user',
    'root',
    'errors',
    '3',
    '10 KB',
    'Fri',
    'Jun',
    '17',
    'a.go:3:5:',
    'undefined:',
    'x.Y',
    '--opt=1',
  ],
  ...[
    'k=v',
    '"q r"',
    "'",
    '`',
    '"',
    '\\"',
    'msg=',
    '{"a": "b c d"}',
    '/a/b',
    'a@b.c',
    '1f3a9bc...',
    '()',
    'TS2345',
    '=',
    '::x',
    'HTTP',
    '404',
  ],
);
const line = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(fc.oneof(PIECES, fc.string({ maxLength: 6 })), { maxLength: 12 }).map((parts) => parts.join(' ')),
);

describe('the mask', () => {
  for (const [kind, rows] of Object.entries(MASKED)) {
    it(`masks ${kind}`, () => {
      for (const [text, template] of rows) assert.equal(maskLine(text), template);
    });
  }

  it('keeps the cause', () => {
    for (const text of KEPT) assert.equal(maskLine(text), text);
  });

  it('does not change a masked line', () => {
    fc.assert(
      fc.property(line, (text) => {
        const once = maskLine(text);
        assert.equal(maskLine(once), once);
      }),
      { numRuns: toRuns(3_000) },
    );
  });

  it('is the same every time, whatever was masked before', () => {
    fc.assert(
      fc.property(line, fc.array(line), (text, others) => {
        const first = maskLine(text);
        for (const other of others) maskLine(other);
        assert.equal(maskLine(text), first);
      }),
    );
  });

  it('takes bounded time for lines of a megabyte', () => {
    const parts = [
      'a',
      '1',
      'a1',
      'a ',
      '"',
      "'",
      '`',
      '\\"',
      '/',
      'a/',
      'a.',
      '1.',
      ':',
      'a:',
      'f:0:',
      '=',
      'a=',
      '(',
      '()',
      '<*>',
      '<*>:',
    ];
    for (const part of [
      ...parts,
      '-',
      '_',
      '@',
      '::',
      '::a',
      '... ',
      'ab12cd3',
      'user ',
      '3 s ',
      '{"',
      'x, ',
      '\u001b[',
      'error: ',
    ]) {
      assertLinear((length) => maskLine(part.repeat(length / part.length)), 10_000, part);
      assertLinear((length) => toSignature('p', part.repeat(length / part.length)), 10_000, part);
    }
  });
});

describe('a signature', () => {
  it('ignores colours', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9:./'-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.nat(107), (words, colour) => {
        const plain = words.join(' ');
        const coloured = words.map((one) => `\u001b[${colour};1m${one}\u001b[0m`).join(' ');
        assert.deepEqual(toSignature('p', coloured), toSignature('p', plain));
      }),
    );
  });
});
