import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { redact } from '../../src/base/secrets/redaction.ts';
import { assertLinear } from '../measure-cpu.ts';
import { toRuns } from '../to-runs.ts';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const ALNUM = UPPER + LOWER + DIGITS;

function chars(alphabet: string, min: number, max: number = min) {
  return fc.string({ unit: fc.constantFrom(...alphabet), minLength: min, maxLength: max });
}

const after = (prefix: string, rest: fc.Arbitrary<string>) => rest.map((text) => prefix + text);
const HEX = 'abcdef0123456789';

/** Tokens that are secrets in any place. */
const TOKENS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  // A key of small letters alone does not exist, and would look like the name of a folder.
  openai: after('sk-', chars(ALNUM, 20, 48)).filter((key) => /[A-Z0-9]/.test(key)),
  'openai project': after('sk-proj-', chars(`${ALNUM}_-`, 40, 120)),
  anthropic: after('sk-ant-api03-', chars(`${ALNUM}_-`, 40, 95)),
  'aws key id': fc.tuple(fc.constantFrom('AKIA', 'ASIA'), chars(UPPER + DIGITS, 16)).map((parts) => parts.join('')),
  github: fc.tuple(fc.constantFrom('ghp_', 'gho_', 'ghs_', 'ghu_', 'ghr_'), chars(ALNUM, 36)).map((p) => p.join('')),
  'github pat': after('github_pat_', chars(`${ALNUM}_`, 82)),
  gitlab: after('glpat-', chars(`${ALNUM}_-`, 20)),
  slack: fc
    .tuple(fc.constantFrom('xoxb-', 'xoxp-', 'xoxa-', 'xoxs-'), chars(`${ALNUM}-`, 30, 60))
    .map((p) => p.join('')),
  google: after('AIza', chars(`${ALNUM}_-`, 35)),
  stripe: fc.tuple(fc.constantFrom('sk_live_', 'rk_live_'), chars(ALNUM, 24, 99)).map((parts) => parts.join('')),
  npm: after('npm_', chars(ALNUM, 36)),
  pypi: after('pypi-AgEIcHlwaS5vcmc', chars(`${ALNUM}_-`, 50, 120)),
  jwt: fc
    .tuple(chars(`${ALNUM}_-`, 20, 60), chars(`${ALNUM}_-`, 20, 90), chars(`${ALNUM}_-`, 43))
    .map(([head, body, sign]) => `eyJ${head}.eyJ${body}.${sign}`),
  sendgrid: fc.tuple(chars(`${ALNUM}_-`, 22), chars(`${ALNUM}_-`, 43)).map(([a, b]) => `SG.${a}.${b}`),
  twilio: after('SK', chars(HEX, 32)),
  'hugging face': after('hf_', chars(ALNUM, 34)),
};

/** Places in which tokens occur. */
const PLACES: readonly ((secret: string) => string)[] = [
  (s) => s,
  (s) => `CI=1 DEPLOY_WITH=${s} npm run deploy`,
  (s) => `curl -H 'X-Anything: ${s}' https://example.com/v1`,
  (s) => `curl "https://example.com/v1?k=${s}&page=2"`,
  (s) => `git clone https://${s}@github.com/acme/shop.git`,
  (s) => JSON.stringify({ config: { value: s }, n: 1 }),
  (s) => JSON.stringify({ command: `echo "${s}" | tool login` }),
  (s) => `tool --with ${s} --verbose`,
  (s) => `line one\nvalue: ${s}\nError: 401 for ${s}.\n`,
  (s) => `- ${s}\n+ ${s}x`,
];

/** Secrets without a format, known only by their place. */
const SECRET = fc
  .tuple(chars(ALNUM, 4, 12), chars(`${ALNUM}!#%*+,./:=?@^_~-`, 4, 24))
  .map(([head, tail]) => `${head}Q7${tail}z`)
  .filter((text) => !text.includes('//'));
const SIMPLE = chars(ALNUM, 8, 30).map((text) => `${text}Q7z`);

const NAMES = [
  'password',
  'passwd',
  'PWD',
  'secret',
  'token',
  'api_key',
  'apikey',
  'access_key',
  'DB_PASSWORD',
  'clientSecret',
];
const NAMED_PLACES: readonly ((name: string, secret: string) => string)[] = [
  (n, s) => `${n}=${s} npm start`,
  (n, s) => `export FOO_${n}='${s}'`,
  (n, s) => `export FOO_${n}="${s}"`,
  (n, s) => `${n}: ${s}\nuser: bob\n`,
  (n, s) => JSON.stringify({ user: 'bob', [n]: s, port: 1 }),
  (n, s) => JSON.stringify({ user: 'bob', [n]: s, port: 1 }, null, 2),
  (n, s) => JSON.stringify({ command: `curl -d '${JSON.stringify({ [n]: s })}' http://localhost` }),
  (n, s) => `{ '${n}' => '${s}' }`,
  (n, s) => `tool --${n.toLowerCase().replaceAll('_', '-')}=${s} run`,
  (n, s) => `https://example.com/cb?${n}=${s}&x=1`,
];
const FLAGS = ['--password', '--token', '--api-key', '--db-password', '--secret-key', '--access-token'];

function leaks(text: string, secret: string): boolean {
  return redact(text).includes(secret);
}

describe('redaction of known tokens', () => {
  for (const [name, token] of Object.entries(TOKENS)) {
    it(`removes any ${name} token, wherever it is`, () => {
      fc.assert(
        fc.property(token, fc.constantFrom(...PLACES), (secret, place) => {
          const found = redact(place(secret));
          assert.ok(!found.includes(secret), found);
          assert.match(found, /\[redacted:[a-z-]+\]/);
        }),
      );
    });
  }
});

describe('redaction by place', () => {
  it('removes the value after a name that marks a secret', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), SECRET, fc.constantFrom(...NAMED_PLACES), (name, secret, place) => {
        assert.ok(!leaks(place(name, secret), secret), redact(place(name, secret)));
      }),
      { numRuns: toRuns(1000) },
    );
  });

  it('removes the value of a secret flag, bare or quoted', () => {
    const quotes = fc.constantFrom('', '"', "'");
    fc.assert(
      fc.property(fc.constantFrom(...FLAGS), SECRET, quotes, (flag, secret, quote) => {
        const text = `tool ${flag} ${quote}${secret}${quote} --verbose`;
        assert.ok(!leaks(text, secret), redact(text));
        assert.ok(!leaks(JSON.stringify({ command: text }), secret));
        assert.match(redact(text), /--verbose$/);
      }),
    );
  });

  it('removes all words of a quoted passphrase', () => {
    assert.equal(redact(`x --password "correct horse" y`), 'x --password "[redacted:credential]" y');
    assert.equal(redact(`password='correct horse' y`), "password='[redacted:credential]' y");
  });

  it('removes user and password: URL, -u, headers', () => {
    const base64 = SIMPLE.map((text) => Buffer.from(`bob:${text}`).toString('base64'));
    fc.assert(
      fc.property(SIMPLE, base64, (secret, basic) => {
        const url = `psql postgres://bob:${secret}@db.example.com:5432/shop`;
        assert.equal(redact(url), 'psql postgres://[redacted:url-credentials]@db.example.com:5432/shop');
        for (const flag of ['-u ', '--user ', '--user=', '-u'])
          assert.ok(!leaks(`curl ${flag}bob:${secret} x`, secret));
        for (const header of [
          'Authorization: Bearer ',
          'authorization: token ',
          '"Authorization": "Bearer ',
          'Authorization: ',
        ]) {
          assert.ok(!leaks(`curl -H '${header}${secret}' x`, secret), header);
        }
        assert.ok(!leaks(`Authorization: Basic ${basic}`, basic));
        assert.ok(!leaks(`sending Bearer ${secret}1 now`, secret));
        assert.ok(!leaks(`Set-Cookie: session=${secret}; Path=/`, secret));
        assert.ok(!leaks(`machine x login bob password ${secret}`, secret));
        assert.ok(!leaks(`sshpass -p ${secret} ssh host`, secret));
        assert.ok(!leaks(`mysql -h db -ubob -p${secret} shop`, secret));
      }),
    );
  });

  it('removes the password of Samba', () => {
    for (const [text, clean] of [
      ['smbclient -U bob%pw //srv/share', 'smbclient -U bob%[redacted:password] //srv/share'],
      ["smbclient //srv/share -U 'DOM\\\\bob%Tr0ub!4'", "smbclient //srv/share -U 'DOM\\\\bob%[redacted:password]'"],
      ['smbget --user=bob%pw smb://srv/a', 'smbget --user=bob%[redacted:password] smb://srv/a'],
      ['rpcclient -U "bob%pw" srv', 'rpcclient -U "bob%[redacted:password]" srv'],
    ] as const) {
      assert.equal(redact(text), clean);
      assert.equal(redact(clean), clean);
    }
    for (const text of [
      'smbclient -U bob //srv/share',
      'smbclient -U bob%$SMB_PASS //srv/a',
      'date -u +%H%M',
      'psql -U a',
    ])
      assert.equal(redact(text), text);
  });

  it('removes a password in a sentence', () => {
    for (const [text, clean] of [
      ['No, use the password Xk29fhq7 for it', 'No, use the password [redacted:password] for it'],
      ['the password is hunter2Zebra!9.', 'the password is [redacted:password].'],
      ['with the passphrase "corr3ct-horse", please', 'with the passphrase "[redacted:password]", please'],
      ['my password was pa$$word, not that', 'my password was [redacted:password], not that'],
      ['The admin password Sup3rSecret', 'The admin password [redacted:password]'],
      ['my password is: hunter', 'my password is: [redacted:password]'],
      ['Password was:zebra,crossing today', 'Password was:[redacted:password] today'],
      ['the passphrase is: "correct horse battery"', 'the passphrase is: "[redacted:password]"'],
      ['password is = notebook', 'password is = [redacted:password]'],
    ] as const) {
      assert.equal(redact(text), clean);
      assert.equal(redact(clean), clean);
    }
    for (const text of [
      'the password field is empty',
      'the password is wrong',
      'the password is: wrong',
      'password is: not set, so nobody can log in',
      'the password is: $DB_PASSWORD',
      'check that the password is:\n- long\n- new',
      'the password must be at least 12 characters',
      'hash the password with sha256',
      'the password sha256-hashed, the password base64-encoded, the password bcrypt2',
      'the password is base64 encoded',
      'the password reset2.html page',
      'use the password handlers/reset2.ts',
      'the password oauth2flow',
      'my password manager',
      'the password prompt!',
      'use the password $DB_PASSWORD2',
      'the password checkPassword2(user)',
      'the password policy (2 of 3 rules)',
      'forgot your password? 3 tries left',
    ])
      assert.equal(redact(text), text);
  });

  it('removes a secret AWS key, named or beside its id', () => {
    fc.assert(
      fc.property(chars(`${ALNUM}/+`, 40), (secret) => {
        assert.ok(!leaks(`aws_secret_access_key = ${secret}`, secret));
        assert.ok(!leaks(`AWS_SECRET_ACCESS_KEY=${secret} aws s3 ls`, secret));
        assert.ok(!leaks(`AKIAIOSFODNN7EXAMPLE,${secret}\n`, secret));
      }),
    );
  });

  it('removes a hex or base64 blob after a key-like name', () => {
    fc.assert(
      fc.property(
        chars(HEX, 31, 63),
        fc.constantFrom('ENCRYPTION_KEY=', '"key": "', 'signing-key: ', 'cert_key=', 'salt='),
        (blob, name) => {
          assert.ok(!leaks(`${name}${blob}7`, blob));
        },
      ),
    );
  });
});

describe('redaction of private keys', () => {
  const kinds = fc.constantFrom('', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ');
  const lines = fc.array(chars(`${ALNUM}+/`, 64), { minLength: 2, maxLength: 40 });

  it('removes every line of a key, whole, cut at either end, or inside JSON', () => {
    fc.assert(
      fc.property(kinds, lines, (kind, body) => {
        const begin = `-----BEGIN ${kind}PRIVATE KEY-----`;
        const end = `-----END ${kind}PRIVATE KEY-----`;
        const whole = [begin, ...body, end].join('\n');
        const texts = [
          `cat key:\n${whole}\ndone.`,
          `cat key:\n${[begin, ...body].join('\n')}`,
          `…\n${[...body, end].join('\n')}\ndone.`,
          JSON.stringify({ private: whole }),
        ];
        for (const text of texts) for (const line of body) assert.ok(!leaks(text, line), text);
        assert.match(redact(texts[0] ?? ''), /^cat key:\s*\[redacted:private-key\]\ndone\.$/);
      }),
    );
  });
});

describe('redaction', () => {
  it('changes nothing the second time', () => {
    const pieces = fc.oneof(
      ...Object.values(TOKENS),
      SECRET,
      fc.constantFrom(...NAMES, ...FLAGS, 'Authorization: Bearer ', 'Basic ', 'https://a:', '@', 'cookie: ', '-u '),
      fc.constantFrom(...'=|: |":"|"|\'|\\"| |\n|$TOKEN|$(pass)|-----BEGIN PRIVATE KEY-----|[redacted:jwt]'.split('|')),
      fc.constantFrom(
        'pass: ',
        'PASS=',
        '<password>',
        '</',
        'curl -su a:',
        'curl -b a=',
        'echo ',
        ' | chpasswd',
        '@tcp(',
      ),
      fc.constantFrom(
        '`',
        '["',
        '$',
        'vault kv put a b=',
        'postgres://u:',
        '/',
        'config set token ',
        'htpasswd -nb a ',
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const once = redact(parts.join(''));
        assert.equal(redact(once), once);
      }),
      { numRuns: toRuns(2000) },
    );
  });

  const untouched = [
    'gh auth login --with-token < token.txt',
    'tool --token',
    'tool --token --verbose',
    'tool --token | cat',
    'git log --author="Jane Doe" --format=%H',
    'git push -u origin HEAD:main',
    'docker run -u 1000:1000 -v /a:/b image',
    'docker exec -u node:node app ls',
    'docker build --secret id=npmrc,src=/home/dev/.npmrc .',
    'date -u +%H:%M:%S',
    'rsync -u host:/srv/data .',
    'npm i https://registry.example.com:4873/@scope/pkg',
    'TOKEN=$(gh auth token) npm publish',
    'curl -H "Authorization: Bearer $TOKEN" https://example.com',
    'psql "postgres://$USER:$PGPASSWORD@localhost/db"',
    'tool --password "$DB_PASSWORD"',
    'PWD=/home/dev/project make',
    'commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
    'id 6b1e0f9a-8879-4847-b1eb-5282155b0923',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    "bash: syntax error near unexpected token `fi'",
    'SyntaxError: Unexpected token: name',
    'SyntaxError: Unexpected token } in JSON at position 4',
    '{"max_tokens": 4096, "tokens": 12}',
    'function login(token: string, password: string): void',
    'if (token == expected) return',
    'Bearer authentication is required',
    'Basic authentication is not supported',
    'Error: token expired',
    'grep -rn "password" src/auth.ts',
    'kubectl get secret my-secret -o yaml',
    ...[
      'pass: 12, fail: 0',
      'pass: 12/12 (100%)',
      'PASS src/a.test.ts',
      'PASS: tests/a.sh',
      '--- PASS: TestLogin (0.00s)',
      'PASS=12 FAIL=0',
      'tests pass: yes',
      'all checks pass: see the log',
      '{"pass":true,"fail":0}',
      'bypass=1',
      'BYPASS=on',
      'compass: north',
      'surpass: everything',
      'token: string',
      'password: string;',
      'token: `name`',
      'password="$password" token=$1 secret="$dbSecret"',
      `token: '\${{ secrets.GITHUB_TOKEN }}'`,
      '<label for="password">Your password</label>',
      '<PasswordInput>Type it here</PasswordInput>',
      '<password></password>',
      'aws configure set region eu-central-1',
      'aws configure list',
      'git config --global user.name bob',
      'read the config for the token and go on',
      'curl -sSu "$USER:$PASSWORD" https://example.com',
      'curl -b cookies.txt -c cookies.txt https://example.com',
      'curl -sb jar https://example.com',
      'echo hello | sudo tee /etc/motd',
      'printf \'%s\' "$TOKEN" | docker login --password-stdin',
      'https://registry.example.com:4873/@scope/pkg/-/pkg-1.0.0.tgz',
      'http://[::1]:8080/@vite/client',
      'https://example.com/a:b@2x.png',
      'file://C:/Users/dev@work/x',
      'dial @tcp(127.0.0.1:3306)',
      'htpasswd -c .htpasswd bob',
      'sqlcmd -S db -Q "select 1"',
      'twine upload dist/x.whl',
      '7z x -oout in.7z',
      'vault kv get secret/shop',
      'vault kv put secret/shop @data.json',
      'vault login -method=oidc role=developer-team',
      'vault login',
    ],
    'npm_config_registry=https://registry.example.com npm ci',
    'task-runner-configuration-file and risk-assessment-2024',
    '/home/dev/project/src/secret/token/key.ts:12:3',
  ];
  for (const text of untouched) it(`leaves alone: ${text}`, () => assert.equal(redact(text), text));

  it('keeps the text around a secret', () => {
    assert.equal(redact('A=1 API_TOKEN=abc123 npm test'), 'A=1 API_TOKEN=[redacted:credential] npm test');
    assert.equal(redact('{"password": "hunter2", "user": "x"}'), '{"password": "[redacted:credential]", "user": "x"}');
  });

  for (const text of [
    "PASSWORD=$'S3cretPw' x",
    "PASSWORD='${S3cretPw' x",
    'PASSWORD=a"S3cretPw" x',
    "PASSWORD='abc''S3cretPw' x",
    'PASSWORD=pre\\ S3cretPw x',
    "curl -u admin:'S3cretPw' h",
    'curl -su "admin":"S3cretPw" h',
    'curl -u $U:S3cretPw h',
    'curl -U a:S3cretPw h',
    'curl -u "user:pw S3cretPw" h',
    'http -a user:S3cretPw GET h',
  ])
    it(`handles shell quotes: ${text}`, () => {
      assert.doesNotMatch(redact(text), /S3cret/);
      assert.equal(redact(redact(text)), redact(text));
    });

  it('takes time in proportion to the text, whatever the text is', () => {
    const words =
      'a|-|token |token=|password="|://|://a:|eyJ|--a-|mysql |key:|bearer |-u |cookie: |login a |sk-|A\n|gl|pass: |pass=|<password>|<token |curl -|echo |vault kv put a|config set a|htpasswd -b |@tcp(|a:|`|PASSWORD=$(echo |set("token",|# pw |# pw: a, |read token <<<|--arg token |x -m "a token: b c |token\']=\'|chpasswd <<< a:';
    const seeds = [...words.split('|'), ' ', '\\', '"', '-----BEGIN PRIVATE KEY-----'];
    for (const seed of seeds) {
      assertLinear((length) => redact(seed.repeat(Math.ceil(length / seed.length))), 50_000, JSON.stringify(seed));
    }
  });
});
