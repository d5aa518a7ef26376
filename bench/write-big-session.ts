/** One session of Claude Code's as large as it is wanted: commands, what they printed, and files that were edited. */
import { closeSync, openSync, writeSync } from 'node:fs';

const OUTPUT = 'src/checkout/total.ts:42:17 resolved 3 packages in 120 ms, no problem was found in this file\\n';
const CALLS_PER_WRITE = 200;

export function writeBigSession(path: string, megabytes: number): void {
  const file = openSync(path, 'w');
  try {
    let bytes = 0;
    for (let n = 0; bytes < megabytes * 1e6; n += CALLS_PER_WRITE) {
      const rows = Array.from({ length: CALLS_PER_WRITE }, (_, i) => makeCall(n + i)).join('');
      bytes += writeSync(file, rows);
    }
  } finally {
    closeSync(file);
  }
}

function makeCall(n: number): string {
  const at = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
  const row = `"cwd":"/home/dev/shop","sessionId":"big","version":"2.1.0","gitBranch":"main","timestamp":"${at}"`;
  const call = `{"type":"tool_use","id":"toolu_${n}","name":"Bash","input":{"command":"npm test -- ${n % 500}"}}`;
  const text = OUTPUT.repeat(10 + (n % 180));
  const result = `{"tool_use_id":"toolu_${n}","type":"tool_result","content":"${text}","is_error":${n % 18 === 0}}`;
  return [
    `{${row},"message":{"role":"assistant","model":"m","content":[${call}]},"type":"assistant"}\n`,
    `{${row},"type":"user","message":{"role":"user","content":[${result}]},"toolUseResult":{"stdout":"${text}","stderr":""}}\n`,
  ].join('');
}
