/** The processor time of a step in milliseconds: other processes on the machine do not count. */
export function measureCpuMs(step: () => unknown): number {
  const before = process.threadCpuUsage();
  step();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
