import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANY_SHELL, parseCommand } from '../../src/base/shell/parse-command.ts';
import { hasWord, toPositionals } from '../../src/base/shell/simple-command.ts';

const CASES: readonly (readonly [line: string, wanted: string, has: boolean])[] = [
  ['gh pr diff 7 --stat', '--stat', true],
  ['gh pr diff 7 --stat=40', '--stat', true],
  ['gh pr diff 7 --statistics', '--stat', false],
  ['gh pr diff 7 "--stat"', '--stat', true],
  ['gh pr create --body "--stat"', '--stat', false],
  ["git commit -m '--amend'", '--amend', false],
  ['git commit --message="x" "--amend"', '--amend', true],
  ['git log -- --stat', '--stat', false],
  ['git checkout -- file', '--', true],
  ['git checkout -- file', 'file', true],
  ['grep -rn -- --stat src', '--stat', false],
  ['npm test -- --watch', '--watch', true],
  ['cargo test -- --nocapture', '--nocapture', true],
  ['kubectl exec pod -- ls --color', '--color', false],
  ['gh pr', 'pr', true],
  ['gh pr', 'p', false],
];

describe('a word of a command', () => {
  for (const [line, wanted, has] of CASES) {
    it(`${has ? 'is' : 'is not'} found: ${wanted} in ${line}`, () => {
      const [command] = parseCommand(line, ANY_SHELL);
      assert.ok(command);
      assert.equal(hasWord(command, wanted), has);
    });
  }
});

const POSITIONALS: readonly (readonly [line: string, ...words: string[]])[] = [
  ['git -C ../shop log', 'log'],
  ['cargo +nightly test', 'test'],
  ['docker compose -f dev.yml -p shop up', 'compose', 'up'],
  ['docker compose logs -f web', 'compose', 'logs', 'web'],
  ['docker-compose -f dev.yml up', 'up'],
  ['docker-compose logs -f web', 'logs', 'web'],
  ['docker logs -f web', 'logs', 'web'],
  ['make -j 8 CC=gcc test', 'test'],
  ['make -j test', 'test'],
  ['mvn -f pom.xml test', 'test'],
  ['aws --profile p s3 ls', 's3', 'ls'],
  ['kubectl --kubeconfig f get po', 'get', 'po'],
  ['npm -C web --loglevel silent test', 'test'],
  ['gh pr diff 12', 'pr', 'diff', '12'],
  ['git diff -C HEAD', 'diff', 'HEAD'],
  ['git branch -C a b', 'branch', 'a', 'b'],
  ['npm test -- --include a', 'test', 'a'],
  ['ssh -p 22 host ls -l a', 'host', 'ls', 'a'],
];

/** Commands as agents type them: the program, and its words that are not options. */
const EVERYDAY = `
npm ci => npm ci
npm run build -w web => npm run build
npm --registry https://r.example install => npm install
npm --cache /tmp/c ci => npm ci
npm --omit dev install => npm install
npm --loglevel error run lint => npm run lint
npm --prefix=web run dev => npm run dev
npm exec -- tsc => npm exec tsc
pnpm --filter web test => pnpm test
pnpm -r build => pnpm build
pnpm --reporter append-only install => pnpm install
pnpm -C web add left-pad => pnpm add left-pad
yarn --cwd web test => yarn test
yarn workspace web build => yarn workspace web build
yarn --registry https://r.example add x => yarn add x
git -C web status => git status
git -c core.pager=cat log => git log
git --no-pager diff HEAD => git diff HEAD
git --git-dir /x --work-tree /y log => git log
git --namespace n fetch => git fetch
git push origin main => git push origin main
docker -c remote ps => docker ps
docker --log-level debug ps => docker ps
docker compose --ansi never up -d => docker compose up
docker compose --progress plain build => docker compose build
docker buildx build -f D . => docker buildx build D .
docker run --rm img => docker run img
kubectl -n shop get pods => kubectl get pods
kubectl get pods -n shop => kubectl get pods
kubectl --as admin get pods => kubectl get pods
kubectl --request-timeout 5s get pods => kubectl get pods
kubectl -v 6 get pods => kubectl get pods
kubectl logs -f web => kubectl logs web
cargo +nightly test => cargo test
cargo --color always build => cargo build
cargo --manifest-path a/Cargo.toml test => cargo test
go -C tools test ./... => go test ./...
go mod tidy => go mod tidy
make -C web test => make test
make --directory web test => make test
make X:=1 test => make test
make CFLAGS+=-g -j 8 all test => make all test
mvn -q test => mvn test
mvn -rf :a install => mvn install
mvn -D test=A test => mvn test
mvn -pl a -am clean install => mvn clean install
./mvnw -pl a test => mvnw test
gradle -p app test => gradle test
gradle -x lint test => gradle test
gradle build -x test => gradle build
./gradlew -p app :a:test => gradlew :a:test
aws --color off s3 ls => aws s3 ls
aws --cli-read-timeout 5 s3 ls => aws s3 ls
aws ec2 describe-instances --region eu-west-1 => aws ec2 describe-instances
terraform -chdir=infra apply => terraform apply
terraform state list => terraform state list
pip --proxy p install y => pip install y
pip3 --timeout 5 install y => pip3 install y
pip -q install y => pip install y
uv --project a sync => uv sync
uv --directory a run pytest => uv run pytest
uv pip install y => uv pip install y
poetry -C a install => poetry install
poetry run pytest => poetry run pytest
sudo --host h npm test => npm test
sudo --close-from 3 npm test => npm test
flock --wait 5 /tmp/l npm test => npm test
env -a name npm test => npm test
gtimeout 5 npm test => npm test
xargs -J % npm test % => npm test %
fish -c 'npm test' => npm test`;

describe('everyday commands', () => {
  for (const row of EVERYDAY.trim().split('\n'))
    it(row, () => {
      const [line = '', words] = row.split(' => ');
      const [command] = parseCommand(line, ANY_SHELL);
      assert.ok(command);
      assert.equal([command.program, ...toPositionals(command)].join(' '), words);
    });
});

describe('words that are not options', () => {
  for (const [line, ...words] of POSITIONALS)
    it(line, () => {
      const [command] = parseCommand(line, ANY_SHELL);
      assert.ok(command);
      assert.deepEqual(toPositionals(command), words);
    });
});
