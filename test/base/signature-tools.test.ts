/** Messages of developer tools. Each list is one cause, with other numbers, paths and names. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signCall, toSignature } from '../../src/base/text/signature.ts';

const CAUSES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  tsc: [
    [
      "src/a.ts(12,5): error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.",
      "lib/deep/b.tsx(3,141): error TS2345: Argument of type 'Cart' is not assignable to parameter of type 'Order'.",
    ],
    ["src/a.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'."],
    ["src/a.ts(1,20): error TS2307: Cannot find module './x.js' or its corresponding type declarations."],
    ["error TS5023: Unknown compiler option '--fast'.", "error TS5023: Unknown compiler option '--fast'."],
    ["error TS5023: Unknown compiler option '--slow'."],
  ],
  gcc: [
    [
      "main.c:10:5: error: 'count' undeclared (first use in this function)",
      "a/b.c:7:1: error: 'n' undeclared (first use in this function)",
    ],
    ['main.c:10:5: error: ‘count’ undeclared (first use in this function); did you mean ‘counter’?'],
    [
      'main.c:3:10: fatal error: zlib.h: No such file or directory',
      'x.cpp:1:11: fatal error: boost/asio.hpp: No such file or directory',
    ],
    ["main.c:4:1: error: expected ';' before 'return'"],
  ],
  eslint: [
    [
      "src/a.js:3:7: 'total' is assigned a value but never used. [Error/no-unused-vars]",
      "b.js:30:17: 'x' is assigned a value but never used. [Error/no-unused-vars]",
    ],
    ["src/a.js:3:7: 'total' is not defined. [Error/no-undef]"],
  ],
  ruff: [
    ['a.py:1:8: F401 [*] `os` imported but unused', 'pkg/b.py:20:12: F401 [*] `json` imported but unused'],
    ['a.py:1:80: E501 Line too long (95 > 88)', 'b/c.py:7:89: E501 Line too long (120 > 88)'],
  ],
  shellcheck: [
    [
      'a.sh:3:5: note: Double quote to prevent globbing and word splitting. [SC2086]',
      'b.sh:30:1: note: Double quote to prevent globbing and word splitting. [SC2086]',
    ],
    ['a.sh:3:5: note: Double quote array expansions. [SC2068]'],
  ],
  pytest: [
    [
      'FAILED tests/test_a.py::test_one - AssertionError: assert 1 == 2',
      'FAILED tests/unit/test_b.py::test_two - AssertionError: assert 10 == 20',
    ],
    ["FAILED tests/test_a.py::test_one - KeyError: 'a'"],
    ["ERROR tests/test_a.py - ModuleNotFoundError: No module named 'shop'"],
  ],
  jest: [
    ['Test Suites: 1 failed, 3 passed, 4 total', 'Test Suites: 12 failed, 30 passed, 42 total'],
    ["● Cannot find module './cart' from 'src/a.test.js'", "● Cannot find module './order' from 'src/b.test.js'"],
  ],
  npm: [
    [
      'npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/lodahs - Not found',
      'npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/@a%2fb - Not found',
    ],
    ['npm error Missing script: "biuld"', 'npm error Missing script: "tset"'],
    ['npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree'],
    [
      "npm error code EACCES\nnpm error EACCES: permission denied, mkdir '/usr/lib/node_modules/x'",
      "npm error code EACCES\nnpm error EACCES: permission denied, mkdir '/opt/y'",
    ],
  ],
  pip: [
    [
      'ERROR: No matching distribution found for reqests==2.31.0',
      'ERROR: No matching distribution found for reqests==1.0',
    ],
    ["ERROR: Could not open requirements file: [Errno 2] No such file or directory: 'requirements.txt'"],
  ],
  git: [
    [
      "error: pathspec 'feature/x' did not match any file(s) known to git",
      "error: pathspec 'main' did not match any file(s) known to git",
    ],
    ['fatal: not a git repository (or any of the parent directories): .git'],
    [
      "fatal: ambiguous argument 'HEAD~30': unknown revision or path not in the working tree.",
      "fatal: ambiguous argument 'v1.2': unknown revision or path not in the working tree.",
    ],
    ['error: could not apply 1f3a9bc... Add totals', 'error: could not apply 77aa0b1d... fix: rounding of 3 prices'],
    ['CONFLICT (content): Merge conflict in src/a.ts', 'CONFLICT (content): Merge conflict in README.md'],
    [
      "To https://example.test/a/b.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'https://example.test/a/b.git'",
      "To git@example.test:c/d.git\n ! [rejected]        dev -> dev (fetch first)\nerror: failed to push some refs to 'git@example.test:c/d.git'",
    ],
    ["fatal: unable to access 'https://example.test/a.git/': The requested URL returned error: 403"],
    [
      "fatal: unable to access 'https://example.test/a.git/': The requested URL returned error: 500",
      "fatal: unable to access 'https://other.test/b.git/': The requested URL returned error: 500",
    ],
  ],
  docker: [
    [
      'Error response from daemon: No such container: web',
      'Error response from daemon: No such container: 3f4e5d6c7b8a',
      'Error response from daemon: No such container: 0a1b2c3d4e5f',
    ],
    [
      'Error response from daemon: driver failed programming external connectivity on endpoint web (0f5a7b8c9d): Bind for 0.0.0.0:8080 failed: port is already allocated',
      'Error response from daemon: driver failed programming external connectivity on endpoint web (77ab0c1d2e): Bind for 0.0.0.0:5432 failed: port is already allocated',
    ],
    [
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      'Cannot connect to the Docker daemon at tcp://10.1.2.3:2375. Is the docker daemon running?',
    ],
  ],
  python: [
    [
      'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    import x\nModuleNotFoundError: No module named \'x\'',
      'Traceback (most recent call last):\n  File "/b/c.py", line 30, in run\nModuleNotFoundError: No module named \'yaml\'',
    ],
    [
      'Traceback (most recent call last):\n  File "a.py", line 3, in f\nTypeError: f() takes 1 positional argument but 2 were given',
      'Traceback (most recent call last):\n  File "a.py", line 9, in g\nTypeError: f() takes 2 positional arguments but 3 were given',
    ],
    [
      '  File "a.py", line 3\n    x = = 1\n        ^\nSyntaxError: invalid syntax',
      '  File "b.py", line 33\n    def\n       ^\nSyntaxError: invalid syntax',
    ],
  ],
  node: [
    [
      "node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module '/home/a/x.js'\n    at Function._resolveFilename (node:internal/modules/cjs/loader:1225:15)",
      "node:internal/modules/cjs/loader:1148\n  throw err;\n  ^\n\nError: Cannot find module 'express'\nRequire stack:\n- /b/c.js\n    at x (y:1:1)",
    ],
    [
      "/a/b.js:3\nconst x = y.z;\n            ^\n\nTypeError: Cannot read properties of undefined (reading 'z')\n    at Object.<anonymous> (/a/b.js:3:13)",
      "/c.js:30\n  return list.map(f)\n              ^\n\nTypeError: Cannot read properties of undefined (reading 'map')\n    at run (/c.js:30:15)",
    ],
    [
      'Error: listen EADDRINUSE: address already in use :::3000',
      'Error: listen EADDRINUSE: address already in use :::8080',
    ],
    ['node: bad option: --watchh'],
  ],
  go: [
    [
      '# example.test/shop/cart\n./cart.go:12:3: undefined: total',
      '# example.test/shop/order\norder/order.go:7:15: undefined: errors',
    ],
    ['./cart.go:12:3: total declared and not used', './order.go:1:22: lineCount declared and not used'],
    ['./a.go:5:2: "os" imported and not used', 'x/b.go:50:2: "encoding/json" imported and not used'],
    [
      './a.go:9:9: cannot use x.Name (variable of type string) as int value in assignment',
      './b.go:19:9: cannot use userName (variable of type string) as int value in assignment',
    ],
    [
      'panic: runtime error: index out of range [5] with length 3',
      'panic: runtime error: index out of range [12] with length 0',
    ],
    [
      'go: example.test/x@v1.2.3: reading go.mod: 404 Not Found',
      'go: example.test/y/v2@v2.0.0: reading go.mod: 404 Not Found',
    ],
  ],
  cargo: [
    ['error[E0308]: mismatched types\n --> src/main.rs:3:18', 'error[E0308]: mismatched types\n --> src/lib/a.rs:33:1'],
    ['error[E0425]: cannot find value `total` in this scope', 'error[E0425]: cannot find value `x` in this scope'],
    ['error[E0382]: borrow of moved value: `name`', 'error[E0382]: borrow of moved value: `list`'],
    ["error: unexpected argument '--relase' found"],
    ["error: unexpected argument '--libs' found"],
    ['error: no such command: `tset`'],
  ],
  java: [
    [
      'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because "<local1>" is null\n\tat A.main(A.java:5)',
      'Exception in thread "pool-1-thread-3" java.lang.NullPointerException: Cannot invoke "a.B.c()" because "this.x" is null\n\tat B.main(B.java:50)',
    ],
    [
      'Exception in thread "main" java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 3',
      'Exception in thread "main" java.lang.ArrayIndexOutOfBoundsException: Index 10 out of bounds for length 10',
    ],
    ['Error: Could not find or load main class shop.Main\nCaused by: java.lang.ClassNotFoundException: shop.Main'],
  ],
  kubectl: [
    [
      'Error from server (NotFound): pods "web-7d4b9c6f5-x2x4z" not found',
      'Error from server (NotFound): pods "api-0" not found',
    ],
    [
      'Error from server (Forbidden): pods is forbidden: User "a" cannot list resource "pods" in API group "" in the namespace "x"',
    ],
    ['error: unknown flag: --al-namespaces'],
  ],
  curl: [
    [
      'curl: (7) Failed to connect to localhost port 3000 after 0 ms: Connection refused',
      'curl: (7) Failed to connect to localhost port 8080 after 12 ms: Connection refused',
    ],
    ['curl: (6) Could not resolve host: example.invalid'],
    ['curl: (22) The requested URL returned error: 404'],
    ['curl: (22) The requested URL returned error: 401'],
  ],
  psql: [
    [
      'ERROR:  relation "orders" does not exist\nLINE 1: select * from orders',
      'ERROR:  relation "x" does not exist\nLINE 1: select 1 from x',
    ],
    ['ERROR:  column "totl" does not exist'],
    [
      'psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
      'psql: error: connection to server at "db" (10.0.0.7), port 6543 failed: Connection refused',
    ],
  ],
};

describe('signatures of developer tools', () => {
  for (const [program, causes] of Object.entries(CAUSES)) {
    it(`distinguish the causes of ${program}, and only these`, () => {
      const templates = causes.map((messages) => {
        const found = messages.map((message) => toSignature(program, message)?.signature.template);
        assert.equal(new Set(found).size, 1, found.join('\n'));
        return found[0];
      });
      assert.equal(new Set(templates).size, causes.length, templates.join('\n'));
    });
  }
});

type Failure = readonly [command: string, output: string];

/** Two failures of one cause: other values, another version, shell or system, or another program around it. */
const SAME: Readonly<Record<string, readonly [Failure, Failure]>> = {
  'a program that is missing at its path, and on the search path': [
    ['~/go/bin/go build ./...', '/bin/bash: line 1: /home/a/go/bin/go: No such file or directory'],
    ['go test ./...', '/bin/bash: line 1: go: command not found'],
  ],
  'a script that is missing, told by two shells': [
    ['scripts/run.sh --fast', 'zsh:1: no such file or directory: scripts/run.sh'],
    ['./scripts/run.sh', 'bash: ./scripts/run.sh: No such file or directory'],
  ],
  'a script that may not be run, told by two shells': [
    ['./manage.py', '-bash: ./manage.py: Permission denied'],
    ['./tool.py', 'zsh: permission denied: ./tool.py'],
  ],
  'a program that fish does not find': [
    ['serve', 'fish: Unknown command: serve'],
    ['serve', 'bash: serve: command not found'],
  ],
  'two versions of npm': [
    ['npm i', 'npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree'],
    ['npm i', 'npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree'],
  ],
  'npm speaking for another program': [
    ['npx alpha', 'npm error could not determine executable to run'],
    ['npx beta', 'npm error could not determine executable to run'],
  ],
  'a sentence that ends, and one with advice behind it': [
    ['python -c "x"', "NameError: name 'foo' is not defined"],
    ['python -c "y"', "NameError: name 'Bar' is not defined. Did you mean: 'bar'?"],
  ],
  'two operations on a missing file in Node': [
    ['node x.js', "Error: ENOENT: no such file or directory, open '/a/b.json'"],
    ['node y.js', "Error: ENOENT: no such file or directory, scandir '/a/b'"],
  ],
  'two names in the words of a JavaScript engine': [
    ['node x.js', 'TypeError: foo.bar is not a function'],
    ['node y.js', 'TypeError: client.query is not a function'],
  ],
  'an aside that differs': [
    ['git status', 'fatal: not a git repository (or any of the parent directories): .git'],
    [
      'git -C /tmp/x log',
      'fatal: not a git repository (or any parent up to mount point /)\nStopping at filesystem boundary',
    ],
  ],
  'a host in the message': [
    ['curl https://foo.bar', 'curl: (6) Could not resolve host: foo.bar'],
    ['curl https://xyz', 'curl: (6) Could not resolve host: xyz'],
  ],
  'a word of the line that ssh runs elsewhere': [
    ['ssh root@h "docker logs api"', 'Error response from daemon: No such container: api'],
    ['ssh h "docker logs web-1"', 'Error response from daemon: No such container: web-1'],
  ],
  'a system error in the words of two systems': [
    ['rmdir a', "rmdir: failed to remove 'a': Directory not empty"],
    ['rmdir b', 'rmdir: b: Directory not empty'],
  ],
  'an operand that looks like a sub-command': [
    ['mknod foo b 1 2', 'mknod: foo: Operation not permitted'],
    ['mknod bar b 1 2', 'mknod: bar: Operation not permitted'],
  ],
  'an operand at the end of the message': [
    ['./app get alpha', 'Error: no workspace with alpha'],
    ['./app get beta', 'Error: no workspace with beta'],
  ],
  'a sub-command that speaks': [
    ['go build', '# example.com/x\n./a.go:3:5: undefined: Foo'],
    ['go vet ./...', '# example.com/x/y\nvet: internal/b.go:13:15: undefined: barBaz'],
  ],
  'the header of a logger': [
    ['kubectl get ns', 'E0101 10:00:00.123456   12345 memcache.go:265] the server refused the list'],
    ['kubectl get ns', 'E1231 23:59:59.000001    9 cache.go:1] the server refused the list'],
  ],
  'a part of the program that speaks': [
    ['gh pr view -R a/b', "GraphQL: Could not resolve to a Repository with the name 'a/b'. (repository)"],
    ['gh api graphql -f q=x', "gh: Could not resolve to a Repository with the name 'c/d'."],
  ],
  'what a sandbox refuses a program': [
    ['git fetch origin', "error: cannot open '.git/FETCH_HEAD': Operation not permitted"],
    ['git add a.ts', "fatal: Unable to create '/repo/.git/index.lock': Operation not permitted"],
  ],
  'this folder and another one': [
    ['go vet ./...', 'pattern ./...: the folder . has no main module'],
    ['go vet ./web/...', 'pattern ./web/...: the folder ./web has no main module'],
  ],
  'a word with = that zsh took for the path of a program': [
    ['echo === a', '(eval):1: == not found'],
    ['shipit ==DIFF', 'zsh:1: =DIFF not found'],
  ],
  'an answer in JSON before or behind the message': [
    ['gh api repos/a/b', '{"message":"Not Found","status":"404"}\ngh: Not Found (HTTP 404)'],
    ['gh api repos/c/d/pulls/3', 'gh: Not Found (HTTP 404)\n{"message":"Not Found","status":"404"}'],
  ],
  'two positions in a program': [
    [
      "jq '.a != null'",
      "jq: error: syntax error, unexpected X, expecting '}' (Unix shell quoting issues?) at <top-level>, line 1:",
    ],
    ["jq '.b'", 'jq: error: syntax error, unexpected X at <top-level>, line 2, column 5:'],
  ],
  'a list of versions': [
    [
      'pip install foo==9',
      'ERROR: Could not find a version that satisfies the requirement foo==9 (from versions: 1.0, 2.0)',
    ],
    ['pip install bar', 'ERROR: Could not find a version that satisfies the requirement bar (from versions: none)'],
  ],
  'a number behind the object': [
    ['sqlite3 a.db "select * from x"', 'Error: in prepare, no such table: x'],
    ['sqlite3 b.db "select 1 from yy"', 'Error: in prepare, no such table: yy (1)'],
  ],
  'two forms of a place': [
    ['npx tsc --noEmit', "src/a.ts(3,5): error TS2339: Property 'foo' does not exist on type 'Bar'."],
    ['npx tsc -p x', "src/deep/b.tsx:30:15 - error TS2339: Property 'baz' does not exist on type '{ a: string; }'."],
  ],
  'one of many hosts, shards, workers': [
    ['./x', 'node-a7: lost connection to shard12'],
    ['./x', 'node-b3: lost connection to shard7'],
  ],
  'a part of the command in the message': [
    ['sleep 90; gh pr view 12 --json a', 'Blocked: sleep 90 followed by: gh pr view 12 --json a. Wait in another way.'],
    [
      'sleep 5 && gh run list -L 3 -R a/b',
      'Blocked: sleep 5 followed by: gh run list -L 3 -R a/b. Wait in another way.',
    ],
  ],
  'a line that two shells cannot parse': [
    ['echo "a', 'bash: -c: line 1: unexpected EOF while looking for matching `"\''],
    ['echo "b', 'zsh:1: unmatched "'],
  ],
  'the marks of an agent': [
    ['cat x', '<tool_use_error>The input is not valid here.</tool_use_error>'],
    ['cat y', 'The input is not valid here.'],
  ],
};

const DIFFERENT: Readonly<Record<string, readonly [Failure, Failure]>> = {
  'two options': [
    ['foo --a', "error: unexpected argument '--a' found"],
    ['foo --b', "error: unexpected argument '--b' found"],
  ],
  'two programs': [
    ['cat a', 'cat: a: No such file or directory'],
    ['ls a', 'ls: a: No such file or directory'],
  ],
  'two programs that are missing': [
    ['foo', 'bash: foo: command not found'],
    ['bar', 'bash: bar: command not found'],
  ],
  'a file to write to, and a program to run': [
    ['echo x > a/b.sh', 'bash: line 1: a/b.sh: No such file or directory'],
    ['a/b.sh', 'bash: line 1: a/b.sh: No such file or directory'],
  ],
  'two system errors': [
    ['cat a', 'cat: a: Is a directory'],
    ['cat a', 'cat: a: Permission denied'],
  ],
  'two statuses': [
    ['gh api x', 'gh: Not Found (HTTP 404)'],
    ['gh api x', 'gh: Forbidden (HTTP 403)'],
  ],
  'two reasons in the brackets of a compiler': [
    ['go build', './a.go:3:5: cannot use x (variable of type T) as I value: T does not implement I (missing method M)'],
    [
      'go build',
      './a.go:3:5: cannot use x (variable of type T) as I value: T does not implement I (wrong type for method M)',
    ],
  ],
  'two sub-commands': [
    ['gh foo', 'unknown command "foo" for "gh"'],
    ['gh bar', 'unknown command "bar" for "gh"'],
  ],
};

function signPair(pair: readonly [Failure, Failure]): readonly (string | undefined)[] {
  return pair.map(([command, output]) => {
    const { id, program, template } = signCall({ tool: 'shell', rawTool: 'Bash', command }, output)?.signature ?? {};
    return id && `${id} ${program}: ${template}`;
  });
}

describe('the signature of a failed call', () => {
  for (const [title, pair] of Object.entries(SAME)) {
    it(`is the same for ${title}`, () => {
      const [first, second] = signPair(pair);
      assert.ok(first);
      assert.equal(second, first);
    });
  }

  for (const [title, pair] of Object.entries(DIFFERENT)) {
    it(`differs for ${title}`, () => {
      const [first, second] = signPair(pair);
      assert.ok(first && second);
      assert.notEqual(second, first);
    });
  }
});
