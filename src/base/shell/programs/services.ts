/** Version control, containers, clouds, databases, the network, and password managers. */
import { type ProgramRow, row } from './vocabulary.ts';

const VERSIONS: readonly ProgramRow[] = [
  row('git', 'messages registry unmistakable', {
    groups: 'stash remote worktree submodule bisect notes lfs sparse-checkout',
    near: '-C -c --git-dir --work-tree --namespace --config-env --attr-source',
    subs: {
      looks:
        'status log diff show branch blame grep rev-parse ls-files remote config describe reflog cat-file check-ignore',
      reads: 'status log diff show blame grep rev-parse ls-files describe',
      shows: 'log show diff blame grep cat-file',
      quiet: 'status branch stash reflog ls-files add fetch checkout switch remote rev-parse config',
      removes: 'rm mv clean stash checkout switch reset restore',
      varies: 'add rm mv commit restore checkout show stash',
    },
    exits: [
      'diff --exit-code --quiet --no-index', // they differ
      'grep', // nothing matched
      'check-ignore', // not ignored
      'config', // not set
      'merge-base --is-ancestor', // no ancestor
      'merge-tree', // the merge would conflict
      'show-ref', // no such ref
      'symbolic-ref 1 128', // the head is detached
      'cat-file -e', // no such object
      'ls-files --error-unmatch', // not tracked
      'ls-remote --exit-code 2', // no such ref
      'rev-parse -q --quiet', // no such revision
      'remote get-url 2', // no such remote
    ],
    twins: {
      push: '-u --set-upstream -f --force -d --delete -n --dry-run',
      commit: '-m --message -F --file -a --all -n --no-verify -s --signoff',
      fetch: '-p --prune -t --tags',
      checkout: '-t --track',
      merge: '-m --message',
      tag: '-m --message -a --annotate -d --delete',
      branch: '-u --set-upstream-to -d --delete -m --move',
      clean: '-f --force',
    },
    secrets: ['credential fill', 'credential-store get', 'credential-cache get'],
  }),
  row('gh', 'hub messages shows pages unmistakable', {
    single: 'api browse status',
    valued: '-R --repo',
    exits: ['pr checks 8'], // checks are pending
    twins: {
      '': '-R --repo',
      pr: '-t --title -b --body -F --body-file -B --base -H --head -R --repo -f --fill -d --draft',
      issue: '-t --title -b --body -F --body-file -R --repo -l --label',
      release: '-t --title -n --notes -F --notes-file -R --repo',
    },
    secrets: ['auth token'],
  }),
  row('glab', 'hub messages pages unmistakable', { single: 'api', secrets: ['auth token'] }),
  row('hg', 'messages unmistakable', { exits: ['incoming', 'outgoing'] }), // no changes
  row('svn', 'messages unmistakable'),
  row('jj sl bzr alembic flask', 'messages'),
];

const DOCKER = {
  near:
    '-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --builder -f --file -p --project-name ' +
    '--project-directory --profile --env-file --ansi --progress --parallel',
  behind: 'compose buildx',
};
const SECRET_OUTPUTS = ['get secret', 'get secrets'].flatMap(listOutputs);

/** In YAML and JSON output a secret is recognized by its kind, so only its data is removed. */
function listOutputs(of: string): readonly string[] {
  const forms = ['jsonpath', 'go-template', 'template'];
  const options = ['-o ', '-o', '-o=', '--output ', '--output='];
  return [...forms.flatMap((form) => options.map((option) => `${of} ${option}${form}`)), `${of} --template`];
}

const CLOUDS: readonly ProgramRow[] = [
  row('docker', 'starts registry unmistakable', {
    ...DOCKER,
    groups: 'compose image container volume network buildx system context manifest',
    subs: { elsewhere: 'exec run compose container', shows: 'logs', reads: 'ps images logs inspect version' },
    twins: {
      build: '-f --file -t --tag',
      run: '-e --env -v --volume -p --publish -w --workdir -u --user -d --detach',
      exec: '-e --env -w --workdir -u --user',
      compose: '-f --file -p --project-name',
    },
  }),
  row('podman', 'starts registry unmistakable', {
    ...DOCKER,
    groups: 'compose image container volume network system',
    subs: { elsewhere: 'exec run compose container', shows: 'logs' },
  }),
  row('docker-compose', '', { ...DOCKER, subs: { elsewhere: 'exec run compose container', shows: 'logs' } }),
  row('skopeo oras', 'registry'),
  row('kubectl', 'starts unmistakable', {
    groups: 'config rollout create auth set top',
    subs: { elsewhere: 'exec run', shows: 'logs describe get', reads: 'get describe logs version' },
    valued:
      '-n --namespace --context --kubeconfig --cluster --user -s --server -v --as --as-group --as-uid --token ' +
      '--request-timeout --cache-dir --certificate-authority --client-certificate --client-key --tls-server-name',
    near: '-l -o -f',
    exits: ['diff', 'auth can-i'], // they differ; no
    twins: { '': '-n --namespace -f --filename -o --output -l --selector -A --all-namespaces -c --container' },
    secrets: ['create token', ...SECRET_OUTPUTS],
  }),
  row('oc', '', { secrets: ['whoami -t', 'extract --to=-', ...SECRET_OUTPUTS] }),
  row('helm', 'registry unmistakable', {
    groups: 'repo plugin',
    subs: { lint: 'lint' },
    twins: { '': '-n --namespace -f --values' },
  }),
  row('terraform', 'unmistakable', {
    groups: 'state workspace providers',
    subs: { lint: 'validate fmt' },
    exits: ['plan -detailed-exitcode 2'], // changes
  }),
  row('tofu', 'unmistakable', { subs: { lint: 'validate fmt' }, exits: ['plan -detailed-exitcode 2'] }), // changes
  row('aws', 'pages unmistakable', {
    single: 'configure',
    valued:
      '--profile --region --output --endpoint-url --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout ' +
      '--cli-binary-format',
    secrets: [
      'secretsmanager get-secret-value',
      'secretsmanager get-random-password',
      'ssm get-parameter --with-decryption',
      'ssm get-parameters --with-decryption',
      'ssm get-parameters-by-path --with-decryption',
      'ecr get-login-password',
      'rds generate-db-auth-token',
    ],
  }),
  row('az', 'unmistakable', {
    single: 'login',
    secrets: ['keyvault secret show', 'account get-access-token', 'acr credential show', 'storage account keys list'],
  }),
  row('gcloud', 'unmistakable', {
    groups: '',
    secrets: ['secrets versions access', 'auth print-access-token', 'auth print-identity-token'],
  }),
  row('heroku', '', { single: '', secrets: ['auth:token'] }),
  row('wrangler', '', { single: 'deploy dev publish' }),
  row('fly flyctl', '', { secrets: ['auth token'] }),
  row('consul', '', { secrets: ['keygen'] }),
  row('nomad', '', { secrets: ['operator gossip keyring generate'] }),
];

const DATABASES: readonly ProgramRow[] = [
  row('psql', 'console pages flat own-h unmistakable', {
    twins: { '': '-h --host -p --port -U --username -d --dbname -w --no-password -f --file -c --command' },
  }),
  row('pg_dump', 'own-h', { twins: { '': '-h --host -p --port -U --username -d --dbname' } }),
  row('mysql', 'console pages own-h unmistakable', {
    twins: { '': '-h --host -P --port -u --user -D --database -p --password' },
  }),
  row('sqlite3', 'console flat unmistakable'),
  row('redis-cli', 'console own-h'),
  row('mariadb duckdb mongosh mongo clickhouse-client sqlcmd cqlsh', 'console'),
];

const NETWORK: readonly ProgramRow[] = [
  row('curl', 'http reaches shows varies flat', {
    twins: { '': '-k --insecure -L --location -H --header -X --request -d --data -u --user -o --output' },
  }),
  row('wget', 'http reaches shows varies flat'),
  row('http https xh httpie invoke-webrequest invoke-restmethod iwr irm', 'http reaches'),
  row('ssh', 'elsewhere reaches flat', { near: '-p -i -l -o -F -J -L -R -D -b -c -E -m -S -W -w' }),
  row('scp', 'reaches copies flat'),
  row('sftp', 'reaches copies'),
  row('rsync', 'reaches copies flat', {
    exits: ['24'], // files vanished while they were copied
    twins: { '': '-e --rsh' },
  }),
  row('rclone', 'copies'),
  row('nc', 'reaches flat', { exits: ['-z'] }), // nobody listens
  row('ping', 'reaches flat', { exits: ['1 2'] }), // no reply, no such host
  row('dig', 'reaches flat'),
  row('pg_isready', '', { exits: ['1 2'] }), // it does not accept connections, it does not answer
  row('pulumi', 'unmistakable', { exits: ['preview --expect-no-changes'] }), // changes
  row('aria2c ncat netcat telnet socat ftp lftp nslookup host websocat', 'reaches'),
  row('mc s3cmd b2 azcopy transfer croc magic-wormhole wormhole ffsend pastebinit termbin ngrok cloudflared', 'sends'),
  row('mail mailx mutt sendmail msmtp swaks', 'sends'),
];

const SECRETS: readonly ProgramRow[] = [
  row('pass', '', { secrets: ['show', '-c', 'generate'] }),
  row('gopass lpass', '', { secrets: ['show', 'generate'] }),
  row('op', '', { secrets: ['read', 'item get --reveal', 'item get --fields', 'item get --otp'] }),
  row('bw', '', { secrets: ['get password', 'get totp', 'get notes', 'generate', 'unlock --raw', 'login --raw'] }),
  row('rbw', '', { secrets: ['get', 'code', 'generate'] }),
  row('keepassxc-cli', '', { secrets: ['show', 'generate', 'diceware'] }),
  row('secret-tool', '', { secrets: ['lookup'] }),
  row('security', '', {
    exits: ['find-generic-password 44', 'find-internet-password 44'], // no such item
    secrets: ['find-generic-password -w', 'find-internet-password -w'],
  }),
  row('chamber', '', { secrets: ['read', 'export', 'env'] }),
  row('infisical', '', { secrets: ['secrets get', 'export'] }),
  row('ansible-vault', '', { secrets: ['view'] }),
  row('sops', '', { secrets: ['-d', '--decrypt', 'decrypt'] }),
  row('vault', '', { secrets: ['kv get', 'read', 'token create', 'print token'] }),
  row('openssl', 'reaches', { secrets: ['rand', 'genrsa', 'genpkey'] }),
  row('wg', '', { secrets: ['genkey', 'genpsk', 'show private-key', 'showconf'] }),
  row('pwgen apg xkcdpass diceware age-keygen oathtool', '', { secrets: [''] }),
];

export const SERVICES: readonly ProgramRow[] = [...VERSIONS, ...CLOUDS, ...DATABASES, ...NETWORK, ...SECRETS];
