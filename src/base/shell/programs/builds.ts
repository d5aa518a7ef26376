/** Package managers, runners of tools and tasks, compilers, and programs that check code. */
import { type ProgramRow, row } from './vocabulary.ts';

const PACKAGE = '-p --package';
const UV = '--with --python -p --extra --group --project --directory --env-file --with-requirements';
const RUN = [{ words: 'run' }];
const BITS = Array.from({ length: 31 }, (_, i) => i + 1).join(' '); // one bit for each severity
const OUTDATED = { exits: ['outdated', `audit ${BITS}`, 'why'] }; // newer versions, weaknesses, no such package

const PACKAGES: readonly ProgramRow[] = [
  row('npm', 'runner node-packages messages registry unmistakable', {
    exits: [...OUTDATED.exits, 'ls', 'list'], // no such package, or one of another version
    groups: 'run run-script exec x pkg config cache',
    runs: [{ words: 'exec x', valued: PACKAGE }],
    tasks: 'run run-script rum urn',
    scripts: 'test t tst start stop restart',
    valued:
      '--prefix -C -w --workspace --loglevel --registry --cache --omit --include --userconfig --globalconfig --location ' +
      '--tag --otp --script-shell --access',
    twins: {
      '': '-w --workspace',
      install: '-D --save-dev -g --global -E --save-exact -w --workspace',
      run: '-w --workspace',
    },
  }),
  row('pnpm', 'runner direct node-packages messages registry unmistakable', {
    ...OUTDATED,
    groups: 'run exec dlx config',
    runs: [{ words: 'exec dlx' }],
    own:
      'add audit bin cache config create deploy dlx env exec fetch i import init install link list login ls outdated pack ' +
      'patch prune publish rebuild remove rm root store unlink up update view why',
    valued:
      '-C --dir --prefix -F --filter --filter-prod --loglevel --reporter --registry --store-dir --workspace-concurrency',
    twins: { '': '-w --workspace-root -F --filter -D --save-dev -C --dir -r --recursive' },
  }),
  row('yarn', 'runner direct node-packages messages registry unmistakable', {
    ...OUTDATED,
    groups: 'run workspace dlx exec config',
    runs: [{ words: 'exec dlx' }, { words: 'workspace', own: 1, isPlace: true }],
    own:
      'add audit bin cache config create dedupe dlx exec global help import info init install link list login logout npm ' +
      'outdated pack patch plugin publish rebuild remove set unlink up upgrade version why workspaces',
    valued: '--cwd --registry --cache-folder --mutex --network-timeout',
    twins: { '': '-W --ignore-workspace-root-check -D --dev' },
  }),
  row('bun', 'runner direct node-packages registry unmistakable', {
    groups: 'run x pm',
    runs: [{ words: 'x' }],
    tasks: 'run',
    subs: { test: 'test', build: 'build' },
  }),
  row('deno', 'interpreter runner unmistakable', {
    groups: 'run task',
    tasks: 'task',
    subs: { test: 'test', lint: 'lint fmt', types: 'check' },
  }),
  row('npx pnpx', 'runner direct unmistakable', { runs: [{ valued: PACKAGE }] }),
  row('bunx', 'runner direct', { runs: [{}] }),
  row('uvx', 'runner direct unmistakable', { runs: [{ valued: `--from ${UV}` }] }),
  row('corepack', 'runner direct', { runs: [{}] }),
  row('cross-env', 'runner', { runs: [{}] }),
  row('xvfb-run', 'runner decorates', { runs: [{ valued: '-s -n -e -f' }] }),
  row('uv', 'runner direct registry unmistakable', {
    groups: 'run pip tool python',
    runs: [{ words: 'run', valued: UV }],
    near: '--project --directory --cache-dir --color --config-file --python-preference --allow-insecure-host',
  }),
  row('poetry', 'runner leading', { groups: 'run env config', runs: RUN, near: '-C --directory -P --project' }),
  row('pipenv pdm rye', 'runner', { runs: RUN }),
  row('pipx', 'runner unmistakable', { groups: 'run', runs: [{ words: 'run', valued: '--spec --python' }] }),
  row('conda mamba', 'runner unmistakable', { runs: [{ words: 'run', valued: '-n --name -p --prefix' }] }),
  row('pip pip3', 'registry unmistakable', {
    exits: ['show', 'check'], // not installed, or of another version
    groups: '',
    valued:
      '--python --proxy --log --cache-dir --timeout --retries --trusted-host --cert --client-cert --exists-action ' +
      '--keyring-provider',
    twins: { install: '-r --requirement -U --upgrade -e --editable' },
  }),
  row('bundle', 'runner unmistakable', {
    groups: 'exec',
    runs: [{ words: 'exec' }],
    exits: ['outdated', 'check', 'audit'], // newer versions, not installed, weaknesses
  }),
  row('pip-audit osv-scanner', '', { exits: [''] }), // weaknesses
  row('mise', 'runner unmistakable', { groups: 'run exec x r', runs: [{ words: 'exec x' }], tasks: 'run r' }),
  row('direnv', 'runner unmistakable', { runs: [{ words: 'exec', own: 1 }] }),
  row('doppler', 'runner', { runs: RUN, secrets: ['secrets get', 'secrets download'] }),
  row('fnm volta asdf rbenv pyenv devbox pixi', 'runner', {
    runs: [{ words: 'exec run', valued: '--using --node --npm --pnpm --yarn' }],
  }),
  row('rustup', 'runner', { runs: [{ words: 'run', own: 1 }] }),
  row('nix', 'runner unmistakable'),
  row('brew', 'unmistakable', { groups: 'services', exits: ['list', 'outdated'] }), // not installed, not current
  row('dnf yum', 'unmistakable', { exits: ['check-update 100'] }), // newer versions
  row('pacman', 'unmistakable', { exits: ['-Q -Qi -Qs -Qu -Ss'] }), // not installed, not known
  row('apt apt-get gem ansible fakeroot husky lefthook', 'unmistakable'),
];

const TASKS: readonly ProgramRow[] = [
  row('make gmake', 'runner build flat', {
    settings: 'assignments',
    tasks: 'direct',
    valued: '-C --directory -f --file --makefile -I --include-dir -o --old-file -W --what-if --eval',
  }),
  row('just task ant poe invoke inv mage', 'runner', { tasks: 'direct' }),
  row('rake', 'runner unmistakable', { tasks: 'direct' }),
  row('hatch', 'runner', { tasks: 'run' }),
  row('composer', 'runner unmistakable', {
    tasks: 'run run-script',
    subs: { lint: 'validate' },
    exits: ['audit 1 2 3', 'outdated --strict'], // weaknesses, abandoned packages; newer versions
  }),
  row('turbo', 'runner unmistakable', { tasks: 'run' }),
  row('nx', 'runner'),
  row('lerna', 'runner messages'),
];

const LANGUAGES: readonly ProgramRow[] = [
  row('go', 'hands-on registry', {
    groups: 'mod tool work run',
    near: '-C',
    subs: { test: 'test', lint: 'vet fmt', build: 'build install' },
  }),
  row('cargo', 'hands-on registry unmistakable', {
    settings: 'toolchain',
    groups: 'run xtask nextest sqlx', // its own, and by custom those of its extensions
    valued: '--manifest-path -Z --config --color --target-dir',
    near: '-C -p --package',
    subs: { test: 'test nextest', lint: 'clippy fmt', types: 'check', build: 'build package' },
    exits: ['audit', 'outdated --exit-code'], // weaknesses, newer versions
    twins: { '': '-p --package -F --features' },
  }),
  row('dotnet', 'hands-on unmistakable', {
    groups: 'tool nuget ef',
    subs: { test: 'test', lint: 'format', build: 'build publish' },
  }),
  row('mvn mvnw', 'hands-on unmistakable', {
    valued:
      '-f --file -s --settings -gs --global-settings -t --toolchains -pl --projects -rf --resume-from -P ' +
      '--activate-profiles -T --threads -D --define -l --log-file -b --builder',
    subs: { test: 'test verify', build: 'compile package install' },
  }),
  row('gradle gradlew', 'hands-on unmistakable', {
    valued:
      '-p --project-dir -x --exclude-task -b --build-file -c --settings-file -P --project-prop -D --system-prop -I ' +
      '--init-script -g --gradle-user-home --console --max-workers --include-build --warning-mode --project-cache-dir',
    subs: { test: 'test check', build: 'build assemble' },
  }),
  row('mix', 'hands-on leading', {
    subs: { test: 'test', lint: 'credo format', types: 'dialyzer', build: 'compile' },
    exits: ['hex.outdated', 'hex.audit'], // newer versions, retired packages
  }),
  row('swift', 'hands-on', { subs: { test: 'test', build: 'build' } }),
  row('bazel bazelisk zig', 'unmistakable', { subs: { test: 'test', build: 'build' } }),
  row('sbt', 'unmistakable', { subs: { test: 'test', build: 'compile' } }),
  row('rebar3', 'unmistakable', { subs: { test: 'eunit ct', types: 'dialyzer', build: 'compile' } }),
  row('meson', 'unmistakable', { subs: { test: 'test', build: 'compile' } }),
  row('stack cabal nimble forge ember', '', { subs: { test: 'test', build: 'build' } }),
  row('dune', '', { subs: { test: 'test runtest', build: 'build', lint: 'fmt' } }),
  row('lein', '', { subs: { test: 'test', build: 'compile uberjar' } }),
  row('gleam', '', { subs: { test: 'test', lint: 'format', types: 'check', build: 'build' } }),
  row('crystal', '', { subs: { test: 'spec', build: 'build' } }),
  row('hardhat', '', { subs: { test: 'test', build: 'compile' } }),
  row('astro nuxt gatsby docusaurus mkdocs', '', { subs: { types: 'check typecheck', build: 'build' } }),
  row('flutter', 'unmistakable', { subs: { test: 'test', lint: 'analyze', build: 'build' } }),
  row('dart', '', { subs: { test: 'test', lint: 'analyze format' } }),
  row('rails', '', { subs: { test: 'test' } }),
  row('xcodebuild', '', { subs: { test: 'test', build: 'build' } }),
  row('vite', 'unmistakable', { subs: { build: 'build' } }),
  row('next', '', { subs: { lint: 'lint', build: 'build' } }),
  row('ng', '', { subs: { test: 'test', lint: 'lint', build: 'build' } }),
];

const CHECKS: readonly ProgramRow[] = [
  row('pytest jest vitest', 'test flat unmistakable'),
  row('tox nox', 'test runner unmistakable'),
  row('rspec ctest', 'test unmistakable'),
  row(
    'py.test unittest nose2 mocha ava tap jasmine karma c8 nyc phpunit pest gotestsum bats behave ' +
      'cucumber wtr cargo-nextest prove busted ginkgo testcafe nightwatch wdio codecept uvu tape shellspec stestr',
    'test',
  ),
  row('playwright', '', { subs: { test: 'test' } }),
  row('cypress', '', { subs: { test: 'run open' } }),
  row('eslint prettier ruff', 'lint flat leading'),
  row('biome gofmt shellcheck', 'lint flat'),
  row('golangci-lint', 'lint', { groups: '' }),
  row('pre-commit', 'lint unmistakable'),
  row(
    'oxlint stylelint xo standard flake8 pylint black isort bandit staticcheck revive goimports shfmt rubocop hadolint ' +
      'yamllint markdownlint actionlint ktlint swiftlint clang-tidy clang-format rustfmt commitlint knip dprint phpcs ' +
      'phpstan sqlfluff tflint ansible-lint psalm phpmd php-cs-fixer pint standardrb reek brakeman erblint haml-lint ' +
      'detekt checkstyle pmd spotbugs scalafmt scalafix google-java-format ktfmt swiftformat cppcheck cpplint ' +
      'pycodestyle pydocstyle pyflakes autopep8 yapf vulture semgrep gosec errcheck ineffassign gofumpt golines ' +
      'luacheck selene stylua perlcritic perltidy hlint ormolu fourmolu clj-kondo cljfmt nixfmt alejandra statix ' +
      'deadnix markdownlint-cli2 mdl vale cspell codespell textlint proselint lychee yamlfmt taplo jsonlint spectral ' +
      'redocly djlint htmlhint html-validate depcheck madge dependency-cruiser publint attw oxfmt ls-lint ' +
      'editorconfig-checker dotenv-linter checkov trivy tfsec kube-linter kubeval kubeconform conftest cfn-lint gitleaks',
    'lint',
  ),
  row('tsc mypy', 'types flat unmistakable'),
  row('vue-tsc svelte-check tsgo pyright basedpyright pyre pyrefly pytype dmypy ty flow srb', 'types'),
  row('cmake', 'build unmistakable'),
  row('buf', '', { subs: { lint: 'lint format breaking', build: 'build' } }),
  row('webpack rollup esbuild tsup tsdown parcel rspack ninja javac', 'build'),
  row('gcc g++ cc c++ clang clang++ rustc ghc kotlinc scalac swiftc ocamlc ocamlopt gfortran nvcc', 'build flat'),
  row('nim sass postcss gulp grunt unbuild scons msbuild latexmk pdflatex xelatex sphinx-build', 'build'),
];

export const BUILDS: readonly ProgramRow[] = [...PACKAGES, ...TASKS, ...LANGUAGES, ...CHECKS];
