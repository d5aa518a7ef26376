/** Command lines that agents get wrong: programs, their sub-commands and options, to make many unlike lessons from. */

export interface BenchProgram {
  readonly name: string;
  readonly subs: readonly string[];
  /** Options that a lesson warns about. */
  readonly wrong: readonly string[];
  /** An option that no lesson is about. */
  readonly right: string;
}

const PROGRAMS = `
gh      pr diff|pr view|pr list|issue list|run view|repo view|api graphql  | --stat --short --oneline --all --plain | --json
git     log|diff|show|status|branch|stash list|rebase|worktree add         | --nocolor --shortstats --onelines --count-only --interactive-all | --oneline
npm     run|test|install|ci|audit|pack|exec                                | --quite --recursive --all-workspaces --skip-lib --no-cache | --silent
pnpm    run|install|add|exec|why|list                                      | --workspace --legacy-peer-deps --no-audit --prefix --only | --filter
yarn    install|add|workspaces list|run|why                                | --frozen --no-save --legacy --prefer --depth | --immutable
cargo   test|build|clippy|fmt|bench|tree|add                               | --nocapture --file --parallel --test-threads --color-always | --workspace
go      test|build|vet|mod tidy|generate|tool cover                        | --verbose --filter --short-tests --package --watch | -run
docker  compose up|compose logs|build|run|exec|ps|image ls                 | --recreate --tail-lines --no-log --every --wait-for | --rm
kubectl get pods|logs|describe pod|apply|rollout status|exec               | --tail-lines --all-pods --force-all --watch-all --yaml | --output
terraform plan|apply|init|state list|validate|output                       | --no-color-output --auto --target-all --yes --silent | -no-color
pip     install|list|show|freeze|download|wheel                            | --yes --dev --save --global --production | --quiet
uv      run|sync|pip install|lock|tool run|add                             | --system-site --no-venv --user --upgrade-all --extras | --frozen
poetry  install|add|run|lock|show|export                                   | --no-dev-deps --all-extra --save --force --prod | --sync
pytest  tests|tests/unit|tests/api|src|integration                         | --parallel --watch --only --bail --grep | -q
ruff    check|format|rule|linter                                           | --fix-all --autofix --write --staged --strict | --quiet
mypy    src|tests|app|lib                                                  | --fix --json --project --all --quick | --strict
eslint  src|test|web|packages                                              | --fix-all --staged --typescript --reporter --strict | --quiet
prettier src|docs|web|packages                                             | --fix --staged --all --dry-run --diff | --check
tsc     build|watch|packages/core|packages/web                             | --noemit --files-only --check --fix --all | --noEmit
jest    src|tests|web|packages                                             | --grep --filter --fail-fast --single --parallel | --ci
vitest  run|watch|bench|related                                            | --grep --runInBand --silent-all --testPathPattern --bail-out | --reporter
node    scripts/build.mjs|scripts/dev.mjs|server.js|tools/gen.mjs          | --esm --typescript --reload --env --strip | --test
curl    https://api.example.test/v1|https://example.test/health|localhost:8080 | --json-body --post --follow --body --status | --fail
jq      .items|.data|.[0]|keys                                             | --pretty --csv --raw --limit --yaml | -r
rg      TODO|import|function|class                                         | --include --exclude --recursive --name-only --perl | --files-with-matches
sed     s/a/b/|s/x/y/g|1,5p|/re/d                                          | --inplace --extended --recursive --backup --dry-run | -n
find    src|test|docs|packages                                             | -glob -ignore -ext -depth-max -contains | -name
make    build|test|lint|release|clean                                      | --parallel --verbose --target --no-cache --all | -s
mvn     test|package|verify|install|dependency:tree                        | --skip-tests --no-test --parallel --module --silent | -q
gradle  test|build|assemble|dependencies|check                             | --skip-tests --module --fast --no-test --silent | --quiet
psql    app|app_test|postgres|reports                                      | --query --json --no-pager --execute --table | --no-psqlrc
aws     s3 ls|s3 cp|ec2 describe-instances|logs tail|lambda list-functions | --json --recursive-all --limit --all-regions --tail | --output
gcloud  run deploy|compute instances list|logging read|projects list       | --json --all --tail --yes --wait | --format
az      vm list|group show|webapp log tail|acr build                       | --json --all-regions --follow --yes-all --tail | --output
helm    install|upgrade|template|lint|list                                 | --wait-all --file --env --dry --yaml | --values
ansible-playbook site.yml|deploy.yml|roles.yml|db.yml                      | --dry-run --hosts --sudo --env --var | --check
bundle  exec rspec|install|update|exec rubocop                             | --parallel --save --dev --skip --only | --quiet
mix     test|deps.get|format|compile                                       | --verbose --watch --all --prod --parallel | --trace
dotnet  test|build|run|restore|publish                                     | --quiet --release --parallel --fix --watch | --nologo
swift   test|build|package resolve|run                                     | --release --watch --verbose-all --only --target | --quiet`;

export const BENCH_PROGRAMS: readonly BenchProgram[] = PROGRAMS.trim().split('\n').map(parseProgram);

/** `name sub|sub|… | wrong wrong … | right`: two spaces or a space around the bar part the columns. */
function parseProgram(line: string): BenchProgram {
  const [head = '', wrong = '', right = ''] = line.split(' | ').map((part) => part.trim());
  const [name = '', ...subs] = head.split(/\s+/);
  return { name, subs: subs.join(' ').split('|'), wrong: wrong.split(' '), right };
}
