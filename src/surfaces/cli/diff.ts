/** What becomes of a file, for a person: the lines that go and come, with a few around them. */
const AROUND = 3;

export function renderDiff(file: string, before: Buffer | undefined, after: Buffer | undefined): string {
  const [old, now] = [toLines(before), toLines(after)];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const from = Math.max(0, head - AROUND);
  const gone = old.slice(head, old.length - tail);
  const come = now.slice(head, now.length - tail);
  const below = now.slice(now.length - tail, now.length - tail + AROUND);
  return [
    `--- ${before === undefined ? '(no file)' : file}`,
    `+++ ${after === undefined ? '(removed)' : file}`,
    `@@ line ${from + 1} @@`,
    ...now.slice(from, head).map((line) => ` ${line}`),
    ...gone.map((line) => `-${line}`),
    ...come.map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
  ].join('\n');
}

/** A missing newline at the end is a difference that a person should see. */
function toLines(bytes: Buffer | undefined): readonly string[] {
  if (bytes === undefined || bytes.length === 0) return [];
  const lines = bytes.toString('utf8').split('\n');
  const last = lines.pop() ?? '';
  const shown = lines.map((line) => line.replace(/\r$/, ''));
  return last === '' ? shown : [...shown, `${last} (no newline)`];
}
