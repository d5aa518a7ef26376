/** Places where secrets occur in the work of an agent. */

export type Place = (shown: string) => string;

/** Of a single word. */
export const TOKEN_PLACES: Readonly<Record<string, Place>> = {
  alone: (s) => s,
  'environment prefix': (s) => `CI=1 DEPLOY_WITH=${s} npm run deploy`,
  flag: (s) => `tool --with ${s} --verbose`,
  'flag with =': (s) => `tool --with=${s} --verbose`,
  quoted: (s) => `tool login '${s}' && echo "${s}"`,
  'path of a file': (s) => `/home/dev/keys/${s}/notes.txt`,
  prompt: (s) => `please use ${s}, it works. (${s})`,
  'user of a url': (s) => `git clone https://x-access-token:${s}@github.com/acme/shop.git`,
  query: (s) => `curl "https://example.com/v1?k=${s}&page=2"`,
  'json, pretty': (s) => JSON.stringify({ config: { value: s } }, null, 2),
  'json in json': (s) => JSON.stringify({ command: JSON.stringify({ value: s }) }),
  'list of yaml': (s) => `values:\n  - ${s}\n  - other\n`,
  markdown: (s) => `Use \`${s}\` or [this](${s}).`,
  diff: (s) => `-const old = "${s}";\n+const now = '${s}';`,
};

/** Of any text. */
export const LINE_PLACES: Readonly<Record<string, Place>> = {
  'line of an output': (s) => `PATH=/usr/bin:/bin\nHOME=/home/dev\n${s}\nLANG=C.UTF-8\n`,
  'output of curl -v': (s) => `* Connected to api.example.com\n> GET /v1 HTTP/2\n> ${s}\n>\n< HTTP/2 401\n`,
  'stack trace': (s) =>
    `Error: request failed: ${s}\n    at send (/srv/app/http.js:10:5)\n    at main (/srv/app/a.js:1:1)`,
  heredoc: (s) => `cat > .env <<'EOF'\nA=1\n${s}\nEOF`,
  'tool input': (s) => JSON.stringify({ file_path: '/home/dev/x', content: `first\n${s}\nlast` }),
  'tool input, quoted twice': (s) => [1, 2, 3].reduce((text) => JSON.stringify({ text }), `first\n${s}\nlast`),
  'prompt of a user': (s) => `Here it is:\n\n${s}\n\nPlease go on.`,
  chained: (s) => `cd /srv && ${s}`,
};
