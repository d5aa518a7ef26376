import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { detectFindings } from '../../src/distill/detect-findings.ts';
import { userCorrection } from '../../src/distill/propose/user-words/user-correction.ts';
import { type Asked, speaks } from './detect-pairs.ts';
import { makeWindow, other, prompted, type Step, said, type Words, worked } from './session-script.ts';

type Script = readonly (Step | Words)[];

/** As the product sees a session: with the guard of outside text. */
function detect(...script: Script) {
  return detectFindings(makeWindow(script), [userCorrection]);
}

function edit(path: string): Step {
  return { ...other('edit', `/repo/${path}`), cwd: '/repo', projectRoot: '/repo' };
}

function editing(path: string): Asked {
  return { tool: 'edit', path: `/repo/${path}` };
}

interface Case {
  readonly script: Script;
  readonly fires: readonly (Asked | string)[];
  readonly silent?: readonly (Asked | string)[];
}

const COMMIT_AFTER = (ran: string): Asked => ({ command: 'git commit -m x', ran: [ran] });

/** What is said after the agent bumped one file, and belongs to two. */
const TOGETHER: readonly string[] = [
  'you forgot to update marketplace.json when you bumped plugin.json',
  'You forgot marketplace.json again.',
  "you didn't bump marketplace.json",
  "marketplace.json wasn't updated",
  'marketplace.json still has the old version',
  "don't forget marketplace.json",
  'remember to bump marketplace.json as well',
  'you also need to update marketplace.json',
  'marketplace.json also needs to be bumped',
  'whenever you touch plugin.json, marketplace.json has to be updated too',
  'plugin.json and marketplace.json must always be bumped together',
  'keep plugin.json and marketplace.json in sync',
  "why didn't you update marketplace.json?",
  'hmm, I think you missed marketplace.json',
  'make sure to also bump marketplace.json',
  'When you change plugin.json you must also change `marketplace.json`.',
  'You bumped plugin.json but not marketplace.json',
  'every time you bump plugin.json, bump marketplace.json',
  'If you bump plugin.json, bump marketplace.json.',
  'bumping plugin.json means bumping marketplace.json too',
  'I told you to bump marketplace.json together with plugin.json',
  'marketplace.json should have been bumped too',
  'the version in marketplace.json has to match plugin.json',
  'plugin.json and marketplace.json have to be changed together, remember?',
  'you overlooked marketplace.json',
  'you keep forgetting marketplace.json',
  'marketplace.json again! You forgot it.',
  'Please note for the future: a change in plugin.json requires a change in marketplace.json',
  'Du hast vergessen, marketplace.json zu aktualisieren, als du plugin.json geändert hast.',
  'Du hast marketplace.json nicht aktualisiert',
  'tu as oublié de mettre à jour marketplace.json',
  "n'oublie pas de mettre à jour marketplace.json quand tu modifies plugin.json",
  'te olvidaste de actualizar marketplace.json',
  'você esqueceu de atualizar marketplace.json',
  '你忘了更新 marketplace.json',
  '每次修改plugin.json都要同步更新marketplace.json',
  'marketplace.jsonの更新を忘れています',
  'plugin.jsonを変更したら、必ずmarketplace.jsonも更新してください',
];

/** What is said for good about a command before a commit. */
const FIRST: readonly string[] = [
  'from now on always run make fmt before git commit',
  'Always run `make fmt` before committing.',
  "don't forget to run make fmt before you commit",
  'remember to run make fmt before every commit',
  'make sure you run `make fmt` before committing',
  'never commit without running make fmt',
  'Lesson learned: run make fmt before git commit.',
  'going forward, run `make fmt` first and then commit, before every commit please',
  'Before each commit, make fmt has to be run. Always.',
  'you forgot to run make fmt before committing',
  'you committed without running make fmt',
  'please always run "make fmt" before you commit anything',
  'could you please always run make fmt before committing?',
  'you should have run make fmt before the commit',
  'In future please run make fmt prior to committing',
  'make fmt has to be run before committing!',
  'no commits without `make fmt` please',
  "make fmt wasn't run before the commit. That's mandatory.",
  'From now on I expect `make fmt` before any commit.',
  'Important: run `make fmt` before `git commit`. Always.',
  'did you run make fmt? You must always run it before committing.',
  'Ab jetzt immer make fmt ausführen, bevor du committest',
  'vor jedem Commit make fmt ausführen',
  'à partir de maintenant, lance toujours make fmt avant de commiter',
  'de ahora en adelante ejecuta siempre make fmt antes de git commit',
  'a partir de agora, sempre rode make fmt antes de git commit',
  '以后在 git commit 之前一定要运行 make fmt',
  '今後はgit commitの前に必ずmake fmtを実行してください',
];

/** What is said about a program and the one in its place. */
const INSTEAD: readonly string[] = [
  'use pnpm, never npm',
  'never use npm, always use pnpm',
  'from now on use pnpm instead of npm',
  'we use pnpm here, not npm',
  "Please don't ever use npm in this repo, we use pnpm.",
  'Rule: pnpm, never npm.',
  'this project uses pnpm, not npm',
  'in this repo we only use pnpm, not npm!',
  'always pnpm instead of npm please',
  "hey, package manager is pnpm in this repo. Don't use npm.",
  'could you use pnpm instead of npm from now on?',
  'npm is wrong here. We never use npm. Use pnpm.',
  'Nie npm benutzen, immer pnpm.',
  'Verwende ab jetzt pnpm statt npm',
  'utilise toujours pnpm, jamais npm',
  'usa siempre pnpm, nunca npm',
  'use sempre pnpm, nunca npm',
  '以后不要用npm，要用pnpm',
  '今後はnpmではなくpnpmを使ってください',
];

const CASES: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(
    TOGETHER.map((words) => [
      words,
      {
        script: [edit('.claude-plugin/plugin.json'), prompted(words), edit('marketplace.json')],
        fires: [editing('.claude-plugin/plugin.json')],
        silent: [editing('src/a.ts'), { tool: 'read', path: '/repo/.claude-plugin/plugin.json' }],
      },
    ]),
  ),
  ...Object.fromEntries(
    FIRST.map((words) => [
      words,
      {
        script: [edit('src/a.go'), worked('git commit -m x'), prompted(words), worked('make fmt')],
        fires: ['git commit -m y', { command: 'git commit -m y', ran: ['make test'] }],
        silent: [COMMIT_AFTER('make fmt'), 'git status', 'make test'],
      },
    ]),
  ),
  ...Object.fromEntries(
    INSTEAD.map((words) => [
      words,
      {
        script: [prompted(words), worked('pnpm install')],
        fires: ['npm install ms', 'npm test'],
        silent: ['pnpm install', 'npx tsc'],
      },
    ]),
  ),
  'never push to main directly': {
    script: [prompted('never push to main directly'), worked('git status')],
    fires: ['git push origin main'],
    silent: ['git push origin fix', 'git commit -m x'],
  },
  'never force push': {
    script: [worked('git push --force'), prompted('Never force push!')],
    fires: ['git push --force', 'git push -f origin x'],
    silent: ['git push'],
  },
  'never --no-verify': {
    script: [prompted('never use --no-verify')],
    fires: ['git commit --no-verify -m x'],
    silent: ['git commit -m x'],
  },
  'a file that is generated': {
    script: [
      edit('src/api/schema.gen.ts'),
      prompted('never edit src/api/schema.gen.ts by hand, run `pnpm generate` instead'),
    ],
    fires: [editing('src/api/schema.gen.ts')],
    silent: [editing('src/api/schema.ts'), 'pnpm generate'],
  },
  'a folder that is generated': {
    script: [prompted("don't ever touch anything in src/generated/, it's generated")],
    fires: [editing('src/generated/a.ts')],
    silent: [editing('src/a.ts')],
  },
  'a command after a change of a file': {
    script: [edit('prisma/schema.prisma'), prompted('whenever you change schema.prisma, run `pnpm prisma generate`')],
    fires: [editing('prisma/schema.prisma')],
    silent: [editing('prisma/seed.ts')],
  },
  'a command after a change that is told by what was edited': {
    script: [edit('api/user.proto'), prompted('you forgot to run make proto after you changed the api')],
    fires: [editing('api/user.proto')],
    silent: [editing('README.md')],
  },
  'an option': {
    script: [prompted('from now on always run go test with -race')],
    fires: ['go test ./...'],
    silent: ['go test -race ./...', 'go build ./...'],
  },
  'an option in code': {
    script: [prompted('Always use `docker compose build --no-cache` here.')],
    fires: ['docker compose build'],
    silent: ['docker compose build --no-cache', 'docker compose up'],
  },
  'a runner': {
    script: [worked('pytest -q'), prompted('please always use `uv run pytest`')],
    fires: ['pytest tests/a.py'],
    silent: ['uv run pytest tests/a.py'],
  },
  'a file before a command': {
    script: [prompted('always update CHANGELOG.md before you run npm publish')],
    fires: ['npm publish'],
    silent: ['npm test', { command: 'npm publish', known: ['/repo/CHANGELOG.md'] }],
  },
  'a command after another': {
    script: [prompted('after git pull always run pnpm install')],
    fires: ['git pull --rebase'],
    silent: ['git push'],
  },
  'a lesson learned': {
    script: [worked('pytest'), prompted('lesson learned: run `alembic upgrade head` before pytest')],
    fires: ['pytest -q'],
    silent: [{ command: 'pytest -q', ran: ['alembic upgrade head'] }, 'alembic upgrade head'],
  },
  'a lesson learned, then the rule': {
    script: [prompted('Lesson learned:\nrun `terraform plan` before `terraform apply`')],
    fires: ['terraform apply -auto-approve'],
    silent: [{ command: 'terraform apply', ran: ['terraform plan'] }],
  },
  'a search program for all of its kind': {
    script: [worked('grep -rn needle src'), prompted('always use rg for searching')],
    fires: ['grep -rn pin src'],
    silent: ['rg pin src'],
  },
  'an omitted command without a moment': {
    script: [edit('src/a.rs'), worked('git commit -am x'), prompted('you forgot to run cargo clippy')],
    fires: ['git commit -am y'],
    silent: [COMMIT_AFTER('cargo clippy')],
  },
  'the changelog, by its name only': {
    script: [edit('package.json'), prompted('you forgot to update the changelog'), edit('CHANGELOG.md')],
    fires: [editing('package.json')],
    silent: [editing('src/a.ts')],
  },
  'what is left out, told by what was edited then': {
    script: [edit('src/menu.ts'), prompted('You forgot to update the translations.'), edit('locales/de.json')],
    fires: [editing('src/menu.ts')],
    silent: [editing('src/other.ts')],
  },
  'a secret file': {
    script: [prompted('never commit .env.local')],
    fires: ['git add .env.local'],
    silent: ['git add src/a.ts'],
  },
  'a rule inside a longer message': {
    script: [
      edit('src/a.ts'),
      prompted(
        'Looks good so far. One more thing: from now on, always run `npm run lint` before you commit. Now go on with the form.',
      ),
    ],
    fires: ['git commit -m x'],
    silent: [COMMIT_AFTER('npm run lint')],
  },
  'a rule beside a block of code': {
    script: [prompted('never run npm, always pnpm:\n```\nnpm error workspace\n```')],
    fires: ['npm test'],
  },
  'a file that belongs to another, told with its own words': {
    script: [
      edit('package.json'),
      worked('git commit -m x'),
      prompted('You bumped the version in package.json but forgot version.ts. Those two always have to match.'),
    ],
    fires: [editing('package.json')],
    silent: [editing('src/a.ts')],
  },
  'a program that is not used, and in the next sentence the one that is': {
    script: [worked('pip install requests'), prompted("We don't use pip in this project. Always use `uv add`.")],
    fires: ['pip install flask'],
    silent: ['uv add flask'],
  },
  'a reminder behind the correction': {
    script: [
      worked('docker-compose up -d'),
      prompted("it's `docker compose`, not `docker-compose`, please remember that"),
    ],
    fires: ['docker-compose build'],
    silent: ['docker compose build'],
  },
  'several files': {
    script: [
      edit('locales/en.json'),
      prompted('you need to add the key to de.json and fr.json as well whenever you touch en.json'),
    ],
    fires: [editing('locales/en.json')],
    silent: [editing('locales/es.json')],
  },
  'a file that has to be committed, too': {
    script: [edit('Cargo.toml'), prompted('Cargo.lock also needs to be committed when Cargo.toml changes')],
    fires: [editing('Cargo.toml')],
    silent: ['git commit -m x'],
  },
  'the next publication': {
    script: [worked('npm publish'), prompted('Next time, run `npm run build` before npm publish.')],
    fires: ['npm publish'],
    silent: [{ command: 'npm publish', ran: ['npm run build'] }],
  },
  'an option that stands before its command': {
    script: [worked('go test ./...'), prompted('remember: always pass -count=1 to go test')],
    fires: ['go test ./a'],
    silent: ['go test -count=1 ./a'],
  },
  'an option for a deed': {
    script: [prompted('always use --no-ff when you git merge')],
    fires: ['git merge main'],
    silent: ['git merge --no-ff main'],
  },
  'a script of the project': {
    script: [worked('gradle build'), prompted('use ./gradlew instead of gradle, always')],
    fires: ['gradle test'],
    silent: ['./gradlew test'],
  },
  'a script that an interpreter runs': {
    script: [prompted("please stop using setup.py install; it's pip install -e . from now on")],
    fires: ['python setup.py install', 'python3 setup.py install --user'],
    silent: ['pip install -e .'],
  },
  'a program that only the call after the words makes known': {
    script: [edit('src/a.kt'), prompted("Don't forget qlint2 before pushing"), worked('qlint2')],
    fires: ['git push'],
    silent: [{ command: 'git push', ran: ['qlint2'] }],
  },
  'a program that the session ran through a runner': {
    script: [worked('npx prisma db push'), prompted('We never use prisma db push here. Use `npx prisma migrate dev`.')],
    fires: ['npx prisma db push'],
    silent: ['npx prisma migrate dev', 'git push'],
  },
  'a wrapper': {
    script: [worked('sudo npm i -g x'), prompted('no sudo! never use sudo here')],
    fires: ['sudo npm i -g y'],
    silent: ['npm i y'],
  },
  'the same rule twice in one message': {
    script: [
      worked('git push'),
      prompted('you pushed without running the tests. `npm test` before every push, always!'),
    ],
    fires: ['git push'],
    silent: [{ command: 'git push', ran: ['npm test'] }],
  },
  'a rule in German about two files': {
    script: [edit('a.json'), prompted('Wenn du a.json änderst, musst du auch b.json anpassen')],
    fires: [editing('a.json')],
  },
  'a rule in French about a branch': {
    script: [prompted('ne pousse jamais sur main')],
    fires: ['git push origin main'],
    silent: ['git push origin x'],
  },
  'a rule in Chinese about a branch': {
    script: [prompted('永远不要直接推送到 main')],
    fires: ['git push origin main'],
    silent: ['git push origin x'],
  },
  'a deploy': {
    script: [prompted('always run make test before you deploy')],
    fires: [],
  },
};

describe('stated rules', () => {
  for (const [title, { script, fires, silent = [] }] of Object.entries(CASES))
    it(`hears: ${title}`, () => {
      const [finding, ...more] = detect(...script);
      assert.ok(finding, 'a finding');
      assert.deepEqual(
        more.map(({ summary }) => summary),
        [],
      );
      assert.equal(finding.kind, 'corrected-by-user');
      assert.equal(finding.caution, undefined);
      for (const call of fires)
        assert.ok(
          speaks(finding, call),
          `fires at ${JSON.stringify(call)}: ${finding.summary} ${JSON.stringify(finding.triggers)}`,
        );
      for (const call of silent)
        assert.ok(
          !speaks(finding, call),
          `silent at ${JSON.stringify(call)}: ${finding.summary} ${JSON.stringify(finding.triggers)}`,
        );
    });
});

/** Ordinary prompts: tasks, questions, reports, praise. Files were edited and commands run before. */
const ORDINARY: readonly string[] = [
  'make sure the login page shows an error',
  'make sure the tests pass',
  'Refactor the parser and make sure `npm test` passes.',
  'also update README.md please',
  'can you also update docs/api.md?',
  'now add a section about installation to README.md',
  'Please update CHANGELOG.md and bump the version in package.json',
  'run make fmt and then git commit',
  'run npm test before you commit this',
  "don't touch lexer.ts, only change parser.ts",
  "Generate a commit message but don't commit it",
  'commit and push please',
  'why does npm install always fail?',
  'the build always fails after git pull',
  'it never runs the hook before git commit',
  'CI always uses npm, is that a problem?',
  'should we always run make lint before committing?',
  'maybe we should always use pnpm instead of npm',
  'I always run make fmt before committing',
  'I forgot to push, can you do git push?',
  'I forgot to update package.json, please do',
  'when I click on save, config.json is never written',
  'when the user edits config.json the app should always reload it',
  'The header should always be visible, see header.tsx',
  'if sensors are shown can you always add the latest radiation level and coordinates?',
  'remember the bug in utils.ts from yesterday?',
  'do you remember what make deploy does?',
  'remember that config.yaml has the port',
  'make sure README.md mentions the new flag',
  'make sure that config.json is valid and the server starts',
  'ensure package.json has the right version',
  'You forgot to handle null in a.ts',
  'you missed the second case in a.ts, it still returns undefined',
  'Never mind, use npm then',
  "don't worry about README.md",
  'no need to run make fmt',
  'use pnpm for this one',
  'for now, always use the mock server in server.ts',
  'let us use pnpm instead of npm from the next sprint on, maybe',
  'add a rule to .eslintrc.json so that imports are always sorted',
  'write a script that always runs make fmt before git commit',
  'Add a pre-commit hook that runs `make fmt` before every commit',
  'the docs say "always run make fmt before git commit"',
  '> from now on always run make fmt before git commit\nwhat do you think of that?',
  '```\nnever use npm, always use pnpm\n```',
  '$ git commit\nhook: always run make fmt before git commit',
  '<system-reminder>\nAlways run make fmt before git commit\n</system-reminder>',
  'error: you forgot to update marketplace.json',
  '1. always run make fmt before git commit\n2. never use npm\nIs this list complete?',
  'what does git push --force do?',
  'explain how make fmt and git commit work together',
  'rename plugin.json to manifest.json',
  'Great, thanks! Everything in marketplace.json looks right now.',
  'The function in date.ts never returns null, fix the type',
  'use the new helper from utils.ts instead of lodash',
  "let's switch to pnpm",
  'migrate the project from npm to pnpm',
  'Show me every time the config.json is read',
  'I want the script to never overwrite config.json',
  'push this to main',
  'open a PR against main',
  "don't commit yet",
  'please fix the failing tests in src/user.test.ts before you commit',
  'You can use npm or pnpm, whatever you like',
  'after that run npm run build and check dist/index.html',
  'when done, run the tests',
  'once the tests pass, commit',
  'go on',
  'Update README.md. Never use emojis.',
  'Never use emojis. Update README.md.',
  'ok',
  'yes',
  'Do we need to update marketplace.json when we bump plugin.json?',
  'how do I keep package.json and package-lock.json in sync?',
  'does this need a change in marketplace.json?',
  'In the future we might add a settings.json',
  'Data in the future should be disregarded in query.ts',
  'we use React and Tailwind here, see App.tsx',
  'We use pnpm and turborepo. Add a new package called ui.',
  'Implement the endpoint in api.ts, add tests in api.test.ts and update the README.',
  'If you change the schema, tell me',
  'Always be careful with the database',
  'never give up :)',
  'You should also know that main.rs is generated by build.rs',
  'You need to look at server.ts again, the port is wrong',
  'The linter complains that index.ts is missing a newline',
  'vergiss es, wir lassen config.json so',
  'kannst du auch README.md aktualisieren?',
  'ajoute aussi un test dans a.test.ts',
  '也更新一下 README.md',
  'The login form never shows the error from auth.ts, can you fix that?',
  'Make sure auth.ts always validates the token before calling next()',
  'The cache in cache.ts should never grow beyond 100 entries.',
  "don't forget to handle the error case",
  'remember to add a test for that',
  'Write a test for user.service.ts, and make sure it runs with npm test',
  'Update package.json to use node 22 and make sure npm run build still works',
  'README.md needs a section about configuration',
  'Please add the new flag to docs/cli.md too',
  'also add a changelog entry',
  'Add an entry to CHANGELOG.md as well please',
  'can you update the README?',
  'Could you make sure that config.yaml is loaded before server.ts starts?',
  "When you're done, run npm run lint and commit.",
  'Run `npm test` and fix whatever fails, then push.',
  'before you commit, show me the diff',
  'before committing run the linter once',
  'revert the last commit',
  'you pushed to the wrong branch, move it to develop',
  'I never use npm myself, but go ahead',
  'why do you always run npm test twice?',
  'Do you always need to run make before make install?',
  'always show the sidebar in layout.tsx',
  'the button in header.tsx must never be disabled',
  'Never return null from getUser in user.ts, throw instead',
  'From now on the API returns ISO dates, please adapt client.ts',
  'In the future this will be read from settings.json, so keep it simple',
  'next time the job runs it should write to out.log',
  'Every time I run npm start I get EADDRINUSE',
  'every time I edit index.css the page reloads twice',
  'whenever I run docker compose up the db container crashes',
  'when config.json is missing, create it with defaults',
  'if package.json has no version, use 0.0.0',
  'after the upload finishes, always call refresh() in list.ts',
  'the deploy script should run npm ci before npm run build',
  'Change the CI workflow: always run npm ci before npm test',
  'in ci.yml, always run `npm audit` after `npm ci`',
  'update the Makefile so that make test always runs make build first',
  'the pre-commit hook should never run npm test',
  'we use jest here, write the tests accordingly in foo.test.ts',
  'this project uses npm workspaces, add a package called utils',
  'You missed a semicolon',
  'you forgot to close the bracket',
  'you forgot the null check in auth.ts',
  'hm you skipped the last test, why?',
  "you didn't run the tests, did you?",
  'I forgot to tell you: the token is in .env',
  'sorry, I forgot package.json, here it is',
  "don't change anything in server.ts for this task",
  "don't use lodash, use the native methods",
  "don't run the migrations, I'll do that",
  'do not push, just commit',
  'stop. wait for me',
  'no, use the other endpoint',
  'not that file, I meant utils.ts',
  'instead of reading config.json on every request, cache it',
  'use fetch instead of axios in client.ts',
  'rename utils.ts to helpers.ts and update all imports',
  'delete old.ts, we never use it',
  'is package-lock.json always updated by npm install?',
  'what is the difference between npm ci and npm install?',
  'please remember my name is Alex',
  'remember, the deadline is Friday',
  'keep in mind that users.csv can be huge',
  'note that schema.sql is for Postgres only',
  'make sure not to break the API in v1.ts',
  "make sure you don't change the public API",
  'ensure that tsconfig.json has strict enabled',
  'You should use a Map here instead of an object',
  'you need to restart the server after changing .env, right?',
  'You must import it from index.ts, otherwise the build fails',
  'lesson learned, thanks for the explanation!',
  'Great work, as always!',
  'never mind, it works now after npm install',
  'the tests in api.test.ts always time out, please investigate',
  'npm run build never finishes on my machine',
  'git push always asks for my password',
  'explain why git rebase is better than git merge',
  'Document in CONTRIBUTING.md that people should always run make lint before pushing',
  'Add to AGENTS.md: always run make lint before pushing',
  'Write in the README that you must never commit .env',
  'Translate this: "Never push to main"',
  'Please create a rule for eslint that never allows console.log in src/',
  'The user should never be able to edit settings.json',
  'the CLI must always print the version before running npm',
  'When the user runs `git commit`, the hook should always run `make fmt`',
  'Our CI never runs npm test on draft PRs, change .github/workflows/ci.yml',
  'also need a dark mode toggle in settings.tsx',
  'we also need to update the database schema',
  'We also need an index.html with a title',
  'I also need you to check package.json for unused deps',
  'you also need to handle the case where config.json does not exist',
  'You still need to implement the export in export.ts',
  'app.ts still has the old import, fix it',
  'index.ts is outdated, rewrite it',
  'README.md is out of date, please refresh it',
  'types.ts is missing the new field',
  "why wasn't user.ts updated?",
  'vergiss nicht, dass die Datei config.json groß sein kann',
  'bitte nicht committen',
  "n'oublie pas les tests",
  'actualiza también README.md por favor',
  '记得写测试',
  '请更新 README.md',
  'always use TypeScript strict mode in tsconfig.json',
  'always use async/await, never callbacks',
  'Never use any in types.ts',
  'use const, never var',
  'Never log passwords',
  'Remember that node 18 is EOL so use node 22 in the Dockerfile',
  'When you refactor b.ts, keep the public interface',
  'if you change c.ts you might break the build',
  'When you are done with b.ts, move on to c.ts',
  'when you add the button to header.tsx use the primary color',
  'If you need the schema look at schema.prisma',
  'if you want to test it, run npm run dev',
  'README.md should be updated',
  'config.ts has to be updated to the new format',
  'the tests in b.test.ts need to be updated',
  'the docs must be updated too',
  'migrations have to be run before npm start, can you add that to the docs?',
  'npm run build should be run in CI',
  'should npm ci be run before npm test?',
  'I told you the bug is in auth.ts',
  'I asked you to fix auth.ts, not to rewrite it',
  "I already told you, it's in utils.ts",
  'I said auth.ts, not auth.test.ts',
  "Don't do that again",
  "don't run that again",
  "do not run npm install again, it's already installed",
  'this change requires a change in the database',
  'adding the field requires changing types.ts and api.ts, go ahead',
  'both files, a.ts and b.ts, should be formatted',
  'update both a.ts and b.ts',
  'keep a.ts and b.ts separate',
  'a.ts and b.ts should match the style guide',
  'the response has to match schema.json',
  'make package.json and README.md consistent',
  'Move the types from a.ts to types.ts and keep both exports',
  'commit a.ts together with b.ts',
  'push it along with the changelog',
  'please run npm run lint, ok?',
  "we don't use React here, plain JS please",
  'we no longer use moment, remove it from package.json',
  'in this repo there are two configs, vite.config.ts and vitest.config.ts',
  'here is the log from npm test, can you have a look',
  'everything in src/legacy/ can be deleted',
  'the generated files in dist/ are wrong',
  'schema.ts is generated, how do I change it?',
  'dist/ is generated by npm run build, right?',
  'fix the bug manually in b.ts',
  'without config.json the app crashes',
  "it doesn't work without running npm run build",
  'stop the server and run npm run dev again',
  'use git log to find out when b.ts was changed',
  'use git stash, then pull',
  'use the gh cli to open the pull request',
  'create a branch, commit, push and open a PR',
  'squash the commits before merging',
  'rebase onto main and force push',
  'git push fails, never seen that before',
  'the rule in .eslintrc.json is too strict',
  'new rule in eslint.config.js: no-console',
  "What's our convention for naming files in src/?",
  'the lesson learned section in docs/retro.md is empty',
  'Add a "lessons learned" section to docs/retro.md',
  'next time we should plan the migration of db.ts better',
  'for the record, utils.ts was written by Tom',
  'as a rule of thumb how long should a.ts be?',
  'Whenever possible use const in a.ts',
  'after each test the temp folder tmp/ must be removed',
  'before each request the middleware in auth.ts checks the token',
  'run npm test after each change and fix what breaks',
  'commit after every step',
  'work through TODO.md and commit after each item',
  'Go through plan.md step by step and run npm test after each step',
  "don't forget to commit",
  'remember to push when you are done',
  'make sure to commit before you continue',
  'please make sure npm run lint and npm test are green before you commit',
  'Please double check that package.json is still valid',
  'you can always run npm run reset if the db is broken',
  'npm test is always slow here',
  'never use that tone with me :D',
  'README.md も更新してください',
];

describe('ordinary prompts', () => {
  for (const words of ORDINARY)
    it(`hears no rule in: ${words.replaceAll('\n', ' / ').slice(0, 70)}`, () => {
      const script = [
        edit('src/a.ts'),
        worked('npm test'),
        prompted(words),
        edit('README.md'),
        worked('git commit -m x'),
      ];
      assert.deepEqual(
        detect(...script).map(({ summary }) => summary),
        [],
      );
      assert.deepEqual(
        detect(prompted(words), edit('src/b.ts'), worked('pnpm test')).map(({ summary }) => summary),
        [],
      );
    });

  it('hears nobody but the user of the main conversation', () => {
    const words = 'from now on always run make fmt before git commit';
    assert.deepEqual(detect(worked('git status'), said(words), worked('git commit -m x')), []);
    const window = makeWindow([worked('git status'), prompted(words)]);
    const inside = {
      ...window,
      calls: window.calls.map((call) => ({ ...call, contextId: 'sub-1' })),
      spoken: window.spoken.map((one) => ({ ...one, contextId: 'sub-1' })),
    };
    assert.deepEqual(userCorrection.detect(inside), []);
  });
});
