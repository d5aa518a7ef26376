/** Lines of a session as a bad disk or a bad writer leaves them: cut, changed, dropped, doubled, out of order. */
import fc from 'fast-check';

export function makeDamage(lines: readonly string[]): fc.Arbitrary<readonly string[]> {
  const index = fc.nat({ max: Math.max(0, lines.length - 1) });
  const cut = fc.tuple(index, fc.nat()).map(([at, end]) => {
    const line = lines[at] ?? '';
    return line.slice(0, end % (line.length + 1));
  });
  const changed = fc
    .tuple(index, fc.nat(), fc.constantFrom('"', '{', '}', '0', '\\', ',', '\u0000', 'null'))
    .map(([at, place, piece]) => {
      const line = lines[at] ?? '';
      const where = place % (line.length + 1);
      return line.slice(0, where) + piece + line.slice(where + 1);
    });
  const whole = index.map((at) => lines[at] ?? '');
  // Mostly whole lines in any order: only those get far into a reader.
  const some = fc.array(fc.oneof({ weight: 6, arbitrary: whole }, cut, changed), { maxLength: 60 });
  const dropped = fc.array(fc.boolean(), { minLength: lines.length, maxLength: lines.length });
  return fc.oneof(
    some,
    dropped.map((kept) => lines.filter((_, at) => kept[at])),
    fc.shuffledSubarray([...lines, ...lines]),
  );
}
