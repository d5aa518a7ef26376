/** Options with two names: a lesson that asks for one is silent at the other. */

/** By program and sub-command, pairs of the short and the long name. Where a program stands alone, all its commands. */
const PAIRS: Readonly<Record<string, string>> = {
  'git push': '-u --set-upstream -f --force -d --delete -n --dry-run',
  'git commit': '-m --message -F --file -a --all -n --no-verify -s --signoff',
  'git fetch': '-p --prune -t --tags',
  'git checkout': '-t --track',
  'git merge': '-m --message',
  'git tag': '-m --message -a --annotate -d --delete',
  'git branch': '-u --set-upstream-to -d --delete -m --move',
  'git clean': '-f --force',
  'gh pr': '-t --title -b --body -F --body-file -B --base -H --head -R --repo -f --fill -d --draft',
  'gh issue': '-t --title -b --body -F --body-file -R --repo -l --label',
  'gh release': '-t --title -n --notes -F --notes-file -R --repo',
  gh: '-R --repo',
  kubectl: '-n --namespace -f --filename -o --output -l --selector -A --all-namespaces -c --container',
  helm: '-n --namespace -f --values',
  'docker build': '-f --file -t --tag',
  'docker run': '-e --env -v --volume -p --publish -w --workdir -u --user -d --detach',
  'docker exec': '-e --env -w --workdir -u --user',
  'docker compose': '-f --file -p --project-name',
  'npm install': '-D --save-dev -g --global -E --save-exact -w --workspace',
  'npm run': '-w --workspace',
  npm: '-w --workspace',
  pnpm: '-w --workspace-root -F --filter -D --save-dev -C --dir -r --recursive',
  yarn: '-W --ignore-workspace-root-check -D --dev',
  'pip install': '-r --requirement -U --upgrade -e --editable',
  cargo: '-p --package -F --features',
  psql: '-h --host -p --port -U --username -d --dbname -w --no-password -f --file -c --command',
  pg_dump: '-h --host -p --port -U --username -d --dbname',
  mysql: '-h --host -P --port -u --user -D --database -p --password',
  curl: '-k --insecure -L --location -H --header -X --request -d --data -u --user -o --output',
  rsync: '-e --rsh',
  mkdir: '-p --parents',
  cp: '-r -R',
  rm: '-r -R',
};

/** The option itself, and its other name if it has one. */
export function toSameOptions(name: string, option: string): readonly string[] {
  const [program = '', sub = ''] = name.split(' ');
  const rows = [`${program} ${sub}`, program].map((key) => (Object.hasOwn(PAIRS, key) ? PAIRS[key] : undefined));
  for (const row of rows) {
    const names = row?.split(' ') ?? [];
    const at = names.indexOf(option);
    const other = names[at % 2 === 0 ? at + 1 : at - 1];
    if (at >= 0 && other !== undefined) return [option, other];
  }
  return [option];
}
