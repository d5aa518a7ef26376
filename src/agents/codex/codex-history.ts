/** What the Codex CLI keeps of its threads: one rollout each, appended line by line, later perhaps compressed. */
import type { AgentHistory, LineFormat } from '../../base/agent-history.ts';
import { CODEX } from './codex-wire.ts';
import { openRollout } from './open-rollout.ts';

/** The first row of every rollout; its record type stands before the payload. */
const MARKS =
  /"type":"session_meta"|"(?:rollout_id|cli_version|originator)":|"type":"(?:response_item|event_msg)","payload":/;

/** How such a file begins when it is taken for text. No other agent keeps compressed logs. */
const ZSTD = '(\uFFFD/\uFFFD';

const isOurs: LineFormat['isOurs'] = (head) => MARKS.test(head);

export const codexHistory: AgentHistory = {
  agent: CODEX,
  name: 'Codex CLI',
  home: { env: 'CODEX_HOME', folder: '.codex' },
  places: ['sessions', 'archived_sessions'],
  formats: [
    { kind: 'lines', file: /\.jsonl$/, isOurs, open: openRollout },
    {
      kind: 'lines',
      file: /\.jsonl\.zst$/,
      compression: 'zstd',
      isOurs: (head) => head.startsWith(ZSTD),
      open: openRollout,
    },
  ],
  version: 2,
};
