/** Progress where there is no terminal, as in a log: now and then a line that says it goes on, and nothing drawn. */
const PLAIN_MS = 5_000;

/** What is over sooner says nothing. */
export function makePlainProgress(
  write: (line: string) => void,
  now: () => number = () => performance.now(),
): (line: string) => void {
  let saidMs = now();
  return (line) => {
    if (now() - saidMs < PLAIN_MS) return;
    saidMs = now();
    write(`${line.replaceAll(/[█░]+ /g, '')}\n`);
  };
}
