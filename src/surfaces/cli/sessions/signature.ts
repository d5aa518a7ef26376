/** `oncebitten sessions signature`: the stable form of each message on standard input, one signature for each line. */

import type { Signature } from '../../../base/model/signature.ts';
import { toLineSignature } from '../../../base/text/signature.ts';
import { groupSignatures } from '../../../distill/patterns/group-signatures.ts';
import type { CommandInput, Handler, Row } from '../command.ts';

export const run: Handler = async ({ options, readLines }) => {
  const { program = '', merge = false } = options as { program?: string; merge?: boolean };
  const signatures = sign(readLines(), program);
  return { json: [], text: '', rows: merge ? mergeRows(signatures) : toRows(signatures) };
};

async function* sign(lines: ReturnType<CommandInput['readLines']>, program: string) {
  for await (const some of lines) yield some.map((line) => toLineSignature(program, line));
}

async function* toRows(signatures: AsyncIterable<readonly Signature[]>): AsyncGenerator<readonly Row[]> {
  for await (const some of signatures) yield some.map(toRow);
}

/** Needs all of them first: which are near-duplicates depends on the others. */
async function* mergeRows(signatures: AsyncIterable<readonly Signature[]>): AsyncGenerator<readonly Row[]> {
  const all: Signature[] = [];
  for await (const some of signatures) for (const signature of some) all.push(signature);
  const groups = groupSignatures(all);
  yield all.map((signature) => toRow(groups.get(signature.id) ?? signature));
}

function toRow({ id, template, program }: Signature): Row {
  return { json: { id, template, program }, text: `${id}  ${template}` };
}
