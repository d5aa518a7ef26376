/** Settings files as people write them: comments anywhere, odd white space, trailing commas, other hooks. */
import fc from 'fast-check';
import { eventNames } from './sample-agent.ts';

type Piece = fc.Arbitrary<string>;

/** `marker` stands in every one of them, as the place of an edit. */
export const MARKER = '"marker": "before"';
export const MOVED_MARKER = '"marker": "after, and [longer] {than} \\" before"';

export function settingsArbitrary(): Piece {
  const gap = fc
    .array(
      fc.constantFrom('', ' ', '  ', '\t', '\n', '\n  ', '\n\t', '/* , ] } */', '// "hooks": [,\n', '//\u00a0\n'),
      { maxLength: 3 },
    )
    .map((parts) => parts.join(''));
  const shape = fc.constantFrom('', ' ', '\n', '\n  ');
  const fields = fc.record({
    scalar: fc.uniqueArray(fc.constantFrom('"model"', '"env"', '"a,b"', '"\\u00e9"'), { maxLength: 3 }),
    hooks: fc.option(hooksArbitrary(gap)),
    isFirst: fc.boolean(),
  });
  const root = fields.chain(({ scalar, hooks, isFirst }) => {
    const others = scalar.map((key) =>
      fc.tuple(gap, scalarArbitrary()).map(([space, value]) => `${key}:${space}${value}`),
    );
    const marker = fc.constant(MARKER);
    const hooksField = hooks === null ? [] : [fc.constant(`"hooks": ${hooks}`)];
    const all = isFirst ? [...hooksField, ...others, marker] : [marker, ...others, ...hooksField];
    return fc.oneof(bracketed('{}', all, gap), bracketed('{}', all, shape));
  });
  return fc
    .tuple(fc.constantFrom('', '\uFEFF'), gap, root, gap, fc.constantFrom('\n', '\r\n'))
    .map(([mark, before, body, after, eol]) => mark + `${before}${body}${after}`.replaceAll('\n', eol));
}

function hooksArbitrary(gap: Piece): Piece {
  const command = fc.constantFrom('npx prettier', 'echo \\"hi\\"', '[ -x \\"/x/bin/hook\\" ] && /x/bin/hook || :');
  const handler = command.map((text) => `{ "type": "command", "command": "${text}" }`);
  const group = fc
    .tuple(fc.constantFrom('', '"matcher": "Bash", '), fc.array(handler, { maxLength: 2 }), gap)
    .map(([matcher, handlers, space]) => `{ ${matcher}"hooks":${space}[${handlers.join(', ')}] }`);
  const groups = fc.array(group, { maxLength: 3 }).chain((items) =>
    bracketed(
      '[]',
      items.map((item) => fc.constant(item)),
      gap,
    ),
  );
  return fc.uniqueArray(fc.constantFrom(...eventNames, 'Stop', 'Notification'), { maxLength: 5 }).chain((names) => {
    const fields = names.map((name) => fc.tuple(gap, groups).map(([space, list]) => `"${name}"${space}: ${list}`));
    return bracketed('{}', fields, gap);
  });
}

function scalarArbitrary(): Piece {
  return fc.constantFrom('1', 'null', '"x // y"', '[]', '{}', '{ "b": [1, 2,\n] }', '[ "]", /* } */ "," ]');
}

function bracketed(brackets: string, items: readonly Piece[], gap: Piece): Piece {
  const parts = fc.tuple(...items.map((item) => fc.tuple(gap, item, gap)));
  return fc.tuple(parts, gap, fc.boolean()).map(([list, inside, hasTrailingComma]) => {
    const joined = list.map((pieces) => pieces.join('')).join(',');
    const comma = hasTrailingComma && list.length > 0 ? ',' : '';
    return `${brackets[0]}${joined}${comma}${inside}${brackets[1]}`;
  });
}
