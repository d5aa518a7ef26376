/**
 * Credentials of many kinds, invented in their providers' formats. `shown` is the text as it occurs; `hidden` is what
 * must not be found afterwards: the random part alone, because a prefix is not secret.
 */
import fc from 'fast-check';

export interface Credential {
  readonly shown: string;
  readonly hidden: readonly string[];
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const ALNUM = UPPER + LOWER + DIGITS;
const WORD = `${ALNUM}_-`;
const HEX = 'abcdef0123456789';
const BASE64 = `${ALNUM}+/`;

const chars = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });

/** One random part in a form that has `*` where it stands. */
const form = (text: string, alphabet: string, length: number): fc.Arbitrary<Credential> =>
  chars(alphabet, length).map((secret) => ({ shown: text.replace('*', () => secret), hidden: [secret] }));

/** `#` are parts of their own. */
const forms = (text: string, ...parts: readonly (readonly [alphabet: string, length: number])[]) =>
  fc.tuple(...parts.map(([alphabet, length]) => chars(alphabet, length))).map(
    (secrets): Credential => ({
      shown: secrets.reduce((shown, secret) => shown.replace('#', () => secret), text),
      hidden: secrets.filter((secret) => secret.length >= 10),
    }),
  );

/** A password as people have them: nothing but its place tells it. Letters and digits at both ends. */
const password = (text: string): fc.Arbitrary<Credential> =>
  fc
    .tuple(chars(ALNUM, 8), chars(`${ALNUM}!%*+.=^_~-`, 6), chars(ALNUM, 2))
    .map((parts) => parts.join(''))
    .map((secret) => ({ shown: text.replace('*', () => secret), hidden: [secret] }));

const uuid = (text: string) =>
  fc.uuid().map((secret): Credential => ({ shown: text.replace('*', () => secret), hidden: [secret] }));

const pem = (kind: string, lines: number, end = kind) =>
  fc.array(chars(BASE64, 64), { minLength: lines, maxLength: lines }).map(
    (body): Credential => ({
      shown: [`-----BEGIN ${kind}-----`, ...body, `-----END ${end}-----`].join('\n'),
      hidden: body,
    }),
  );

/** Secrets wherever they stand: one word without spaces. */
export const TOKEN_KINDS: Readonly<Record<string, fc.Arbitrary<Credential>>> = {
  'github classic': form('ghp_*', ALNUM, 36),
  'github oauth': form('gho_*', ALNUM, 36),
  'github app user': form('ghu_*', ALNUM, 36),
  'github app installation': form('ghs_*', ALNUM, 36),
  'github app installation, new': forms('ghs_1234567_#.#.#', [WORD, 36], [WORD, 80], [WORD, 43]),
  'github refresh': form('ghr_*', ALNUM, 36),
  'github fine-grained': forms('github_pat_#_#', [ALNUM, 22], [ALNUM, 59]),
  gitlab: form('glpat-*', WORD, 20),
  'gitlab runner': form('glrt-*', WORD, 20),
  'gitlab deploy': form('gldt-*', WORD, 20),
  'gitlab oauth': form('gloas-*', HEX, 64),
  'aws key id': form('AKIA*', UPPER + DIGITS, 16),
  'aws session key id': form('ASIA*', UPPER + DIGITS, 16),
  'azure client secret': form('x9k8Q~*', `${ALNUM}_.~-`, 34),
  'slack bot': form('xoxb-*', ALNUM, 24),
  'slack bot, dashed': forms('xoxb-2345678901-2345678901234-#', [ALNUM, 24]),
  'slack user': forms('xoxp-2345678901-2345678901-2345678901-#', [HEX, 32]),
  'slack app': forms('xapp-1-A0123456789-2345678901-#', [HEX, 64]),
  'slack webhook': form('https://hooks.slack.com/services/T01234567/B01234567/*', ALNUM, 24),
  'discord webhook': form('https://discord.com/api/webhooks/123456789012345678/*', WORD, 68),
  'discord bot': forms('M#.G#.#', [ALNUM, 23], [ALNUM, 5], [WORD, 38]),
  'telegram bot': form('1234567890:AA*', WORD, 33),
  stripe: form('sk_live_*', ALNUM, 24),
  'stripe restricted': form('rk_live_*', ALNUM, 99),
  'stripe webhook': form('whsec_*', ALNUM, 32),
  twilio: form('SK*', HEX, 32),
  sendgrid: forms('SG.#.#', [WORD, 22], [WORD, 43]),
  mailgun: form('key-*', HEX, 32),
  mailchimp: form('*-us12', HEX, 32),
  npm: form('npm_*', ALNUM, 36),
  pypi: form('pypi-AgEIcHlwaS5vcmc*', WORD, 120),
  rubygems: form('rubygems_*', HEX, 48),
  'crates.io': form('cio*', ALNUM, 32),
  'docker hub': form('dckr_pat_*', WORD, 27),
  'hugging face': form('hf_*', UPPER + LOWER, 34),
  openai: forms('sk-#T3BlbkFJ#', [ALNUM, 20], [ALNUM, 20]),
  'openai project': forms('sk-proj-#T3BlbkFJ#', [WORD, 74], [WORD, 74]),
  anthropic: form('sk-ant-api03-*AA', WORD, 93),
  groq: form('gsk_*', ALNUM, 52),
  xai: form('xai-*', ALNUM, 80),
  perplexity: form('pplx-*', ALNUM, 48),
  replicate: form('r8_*', ALNUM, 37),
  'google api': form('AIza*', WORD, 35),
  'google access': form('ya29.*', WORD, 120),
  'google oauth': form('GOCSPX-*', WORD, 28),
  'google refresh': form('1//0*', WORD, 60),
  jwt: forms('eyJhbGciOiJIUzI1NiJ9.eyJ#.#', [WORD, 40], [WORD, 43]),
  'terraform cloud': forms('#.atlasv1.#', [ALNUM, 14], [ALNUM, 67]),
  vault: form('hvs.*', WORD, 95),
  'vault batch': form('hvb.*', WORD, 140),
  'new relic': form('NRAK-*', UPPER + DIGITS, 27),
  'sentry organisation': form('sntrys_*', `${BASE64}_`, 120),
  'sentry user': form('sntryu_*', HEX, 64),
  'sentry dsn': form('https://*@o123456.ingest.sentry.io/4501', HEX, 32),
  shopify: form('shpat_*', HEX, 32),
  square: form('sq0atp-*', WORD, 22),
  'square secret': form('sq0csp-*', WORD, 43),
  linear: form('lin_api_*', ALNUM, 40),
  notion: form('ntn_12345678901*', ALNUM, 35),
  'notion, old': form('secret_*', ALNUM, 43),
  digitalocean: form('dop_v1_*', HEX, 64),
  heroku: form('HRKU-AA*', WORD, 58),
  cloudflare: forms('cfut_##', [ALNUM, 40], [HEX, 8]),
  databricks: form('dapi*', HEX, 32),
  doppler: form('dp.pt.*', ALNUM, 43),
  age: form('AGE-SECRET-KEY-1*', 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58),
  '1password service': form('ops_eyJ*fQ', BASE64, 400),
  '1password secret key': forms('A3-#-#-ABCDE-FGHIJ-KLMNO-PQRST', [UPPER + DIGITS, 6], [UPPER + DIGITS, 6]).map(
    ({ shown }) => ({ shown, hidden: [shown.slice(3, 16)] }),
  ),
  grafana: forms('glsa_#_#', [ALNUM, 32], [HEX, 8]),
  'grafana cloud': form('glc_*', BASE64, 120),
  figma: form('figd_*', WORD, 43),
  tailscale: forms('tskey-auth-#-#', [ALNUM, 17], [ALNUM, 32]),
  vercel: form('vcp_*', ALNUM, 56),
  postman: forms('PMAK-#-#', [HEX, 24], [HEX, 34]),
  planetscale: form('pscale_tkn_*', WORD, 43),
  supabase: form('sbp_*', HEX, 40),
  netlify: form('nfp_*', ALNUM, 36),
  atlassian: form('ATATT3xFfGF0*', `${WORD}=`, 180),
  pulumi: form('pul-*', HEX, 40),
  'url: postgres': password('postgres://app:*@db.internal:5432/shop'),
  'url: mysql': password('mysql://app:*@db.internal/shop'),
  'url: redis': password('redis://:*@cache.internal:6379/0'),
  'url: mongodb': password('mongodb+srv://app:*@cluster0.ab1cd.mongodb.net/shop'),
  'url: amqp': password('amqps://app:*@mq.internal/vhost'),
  'url: slash in the password': password('postgres://app:p/*@db.internal:5432/shop'),
  'url: at in the password': password('postgres://app:p@*@db.internal:5432/shop'),
  'url: https': password('https://bob:*@git.example.com/acme/shop.git'),
  'azure sas': form('https://acme.blob.core.windows.net/c/f.csv?sv=2023-01-03&sp=r&sig=*%3D', ALNUM, 43),
};

/** Secrets that their surroundings tell: a piece of text of its own. */
export const LINE_KINDS: Readonly<Record<string, fc.Arbitrary<Credential>>> = {
  'aws secret': form('aws_secret_access_key = *', BASE64, 40),
  'aws secret beside its id': forms('AKIA#\t#', [UPPER + DIGITS, 16], [BASE64, 40]),
  'aws session': form('AWS_SESSION_TOKEN=*', BASE64, 300),
  'azure storage': form(
    'DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=*==;EndpointSuffix=x.net',
    BASE64,
    86,
  ),
  'azure service bus': form(
    'Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=r;SharedAccessKey=*=',
    BASE64,
    43,
  ),
  'gcp service account': pem('PRIVATE KEY', 20).map(({ shown, hidden }) => ({
    shown: JSON.stringify({ type: 'service_account', private_key_id: 'ab12', private_key: `${shown}\n` }),
    hidden,
  })),
  'pem rsa': pem('RSA PRIVATE KEY', 25),
  'pem ec': pem('EC PRIVATE KEY', 3),
  'pem openssh': pem('OPENSSH PRIVATE KEY', 38),
  'pem encrypted': pem('ENCRYPTED PRIVATE KEY', 25),
  'pem pgp': pem('PGP PRIVATE KEY BLOCK', 40),
  'putty key': fc.array(chars(BASE64, 64), { minLength: 4, maxLength: 4 }).map((body) => ({
    shown: `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 4\n${body.join('\n')}\nPrivate-MAC: 00`,
    hidden: body,
  })),
  'basic header': password('bob:*').map(({ shown }) => {
    const basic = Buffer.from(shown).toString('base64');
    return { shown: `Authorization: Basic ${basic}`, hidden: [basic] };
  }),
  'bearer header': form('Authorization: Bearer *', `${WORD}.`, 40),
  'token header': form('PRIVATE-TOKEN: *', WORD, 20),
  'api key header': form('x-api-key: *', ALNUM, 40),
  'auth token header': form('X-Auth-Token: *', HEX, 32),
  cookie: form('Cookie: theme=dark; session=*', WORD, 40),
  'set-cookie': form('< Set-Cookie: sid=*; Path=/; HttpOnly', WORD, 40),
  netrc: password('machine api.example.com login bob password *'),
  npmrc: form('//registry.npmjs.org/:_authToken=*', ALNUM, 36),
  'npmrc auth': form('//npm.example.com/:_auth=*', BASE64, 40),
  'docker config': form('{"auths":{"https://index.docker.io/v1/":{"auth":"Ym9iOm*="}}}', BASE64, 41),
  kubeconfig: form('users:\n- name: admin\n  user:\n    token: *', WORD, 60),
  'kubeconfig key': form('    client-key-data: LS0tLS1CRUdJTi*', BASE64, 400),
  consul: uuid('CONSUL_HTTP_TOKEN=*'),
  'vault, old': form('VAULT_TOKEN=s.*', ALNUM, 24),
  'twilio auth': form('TWILIO_AUTH_TOKEN=*', HEX, 32),
  datadog: form('DD_API_KEY=*', HEX, 32),
  'datadog app': form('DD_APP_KEY: *', HEX, 40),
  'new relic licence': form('NEW_RELIC_LICENSE_KEY=*NRAL', HEX, 36),
  'heroku, old': uuid('HEROKU_API_KEY=*'),
  'cloudflare, by name': form('CLOUDFLARE_API_TOKEN=*', WORD, 40),
  'openai, by name': form('"openai_api_key": "*"', ALNUM, 40),
  'django key': form("SECRET_KEY = '*'", `${ALNUM}!@#%^&*(-_=+)`, 50),
  'rails key': form('secret_key_base: *', HEX, 128),
  'generic secret': password('FOO_SECRET=*'),
  'generic password, quoted': password('export DB_PASSWORD="*"'),
  'oauth answer': form('{"access_token":"*","token_type":"bearer","expires_in":3600}', WORD, 64),
  'oauth refresh': form('"refresh_token": "*"', WORD, 64),
  'client secret': form('client_id=abc&client_secret=*&grant_type=x', ALNUM, 40),
  'signed url': form('https://b.s3.amazonaws.com/k?X-Amz-Expires=3600&X-Amz-Signature=*', HEX, 64),
  'ado connection': password('Server=db;Database=shop;User Id=app;Password=*;Encrypt=true'),
  'sql role': password("ALTER ROLE app WITH LOGIN PASSWORD '*'"),
  'sql user': password("CREATE USER 'app'@'%' IDENTIFIED BY '*'"),
  psql: password('PGPASSWORD=* psql -h db -U app shop'),
  mysql: password('mysql -h db -u app -p* shop'),
  mysqldump: password('mysqldump --user=app --password=* shop'),
  'curl -u': password('curl -u bob:* https://api.example.com'),
  'curl header': form("curl -H 'Authorization: token *' https://api.example.com", ALNUM, 40),
  wget: password('wget --http-password=* https://example.com'),
  sshpass: password('sshpass -p * ssh deploy@host'),
  'sshpass, quoted': password("sshpass -p '*' ssh deploy@host"),
  'docker login': password('docker login -u bob -p * registry.example.com'),
  'docker login, stdin': password('echo * | docker login -u bob --password-stdin registry.example.com'),
  'docker run': password('docker run -e POSTGRES_PASSWORD=* -d postgres:17'),
  'helm login': password('helm registry login -u bob -p * registry.example.com'),
  'az login': password('az login --service-principal -u app -p * --tenant t'),
  'redis-cli': password('redis-cli -h cache -a * ping'),
  mongosh: password('mongosh --username app -p * cluster0'),
  ldapsearch: password('ldapsearch -x -D cn=admin -w * -b dc=x'),
  gpg: password('gpg --batch --passphrase * -d file.gpg'),
  openssl: password('openssl rsa -in key.pem -passin pass:* -out plain.pem'),
  'zip password': password('zip -P * -r out.zip dir'),
  'gh secret': password('gh secret set DEPLOY_KEY --body *'),
  'kubectl secret': password('kubectl create secret generic s --from-literal=password=*'),
  'npm config': form('npm config set //registry.npmjs.org/:_authToken *', ALNUM, 36),
  'git header': form('git -c http.extraHeader="Authorization: Basic *" fetch', BASE64, 40),
  'dollar, single quotes': form("export PASSWORD='$*'", ALNUM, 12),
  'dollar, single quotes, capitals': form("export PASSWORD='$A_*'", UPPER, 12),
  'dollar, double quotes': form('password="$uper5*"', ALNUM, 12),
  'dollar, bare': form('PASSWORD=$uper5* npm start', ALNUM, 12),
  'aws configure': form('aws configure set aws_secret_access_key *', BASE64, 40),
  'aws configure, profile': form('aws configure set --profile prod aws_session_token *', BASE64, 40),
  'git config': form('git config --global user.token *', ALNUM, 20),
  'curl, bundled flags': password('curl -su admin:* https://api.example.com'),
  'curl, cookie flag': form('curl -b "session=*" https://api.example.com', WORD, 24),
  'curl, cookie flag bare': form('curl -sb session=* https://api.example.com', WORD, 24),
  'xml element': password('<server><username>bob</username><password>*</password></server>'),
  'xml element, prefixed': password('<ns:dbPassword encrypted="false">*</ns:dbPassword>'),
  'xml attribute': password('<add key="Password" value="*"/>'),
  'printf login': password("printf '%s' * | docker login -u bob --password-stdin"),
  'printf login, with a line end': password('printf "%s\\n" "*" | docker login -u bob --password-stdin'),
  'echo, two words': password('echo "* twice" | sudo -S ls'),
  chpasswd: password('echo "root:*" | chpasswd'),
  'chpasswd, sudo': password("echo 'deploy:*' | sudo chpasswd -e"),
  backticks: form('token: `*`', ALNUM, 20),
  'PASS=': password('PASS=* npm start'),
  'DBPASS=': password('export DBPASS=*'),
  'pass:': password('pass: *'),
  'pass, quoted': password("{ user: 'bob', pass: '*' }"),
  'list of one': password('{"password":["*"]}'),
  'go dsn': password('app:*@tcp(db.internal:3306)/shop?parseTime=true'),
  'go dsn, named': password('DSN="app:*@unix(/run/mysql.sock)/shop"'),
  'htpasswd -b': password('htpasswd -b .htpasswd bob *'),
  'htpasswd -bc': password('htpasswd -bc .htpasswd bob *'),
  'htpasswd -nb': password('htpasswd -nbB bob *'),
  sqlcmd: password('sqlcmd -S db.internal -U sa -P * -Q "select 1"'),
  twine: password('twine upload -u __token__ -p * dist/x.whl'),
  '7z': password('7z a -p* out.7z dir'),
  unrar: password('unrar x -p* in.rar'),
  'vault kv put': password('vault kv put secret/shop user=bob value=*'),
  'vault login': form('vault login *', ALNUM, 24),
  'gh secret -b': password('gh secret set DEPLOY_KEY -b"*"'),
  heredoc: pem('OPENSSH PRIVATE KEY', 10).map(({ shown, hidden }) => ({
    shown: `cat > ~/.ssh/id_ed25519 <<'EOF'\n${shown}\nEOF`,
    hidden,
  })),
};
