/**
 * Where a command stands in its line: whether the line can end with success although the command failed, and whether
 * it reads what another command prints.
 */
import type { SyntaxNode } from 'unbash';

export interface Place {
  readonly hidden: boolean;
  readonly piped: boolean;
}

/** `set -e` and `set -o pipefail`: from then on lists and pipes hide nothing. */
export interface ShellOptions {
  errexit: boolean;
  pipefail: boolean;
}

export const TOP: Place = { hidden: false, piped: false };

/** The place of a node's n-th child, in the order of `forEachChild`. */
export function toChildPlace(node: SyntaxNode, place: Place, options: ShellOptions): (n: number) => Place {
  const hidden = { hidden: true, piped: place.piped };
  switch (node.type) {
    case 'Script':
    case 'CompoundList': {
      const last = node.commands.length - 1;
      return (n) => (n === last || options.errexit ? place : hidden);
    }
    case 'AndOr': {
      // `a && b || c`: what stands before an `||` may fail.
      const lastOr = node.operators.lastIndexOf('||');
      return (n) => (n > lastOr ? place : hidden);
    }
    case 'Pipeline':
      return toPipePlace(node.prefixes, node.commands.length, place, options);
    case 'If':
    case 'Elif':
      return (n) => (n === 0 ? hidden : place);
    case 'Statement':
      return () => (node.background ? hidden : place);
    case 'Command':
      // `x=$(cmd)` ends as `cmd` does, `echo $(cmd)` as `echo`.
      return () => ({ hidden: place.hidden || node.name !== undefined, piped: false });
    // Of a loop only the last round counts, and a function is not yet called.
    case 'For':
    case 'ArithmeticFor':
    case 'Select':
    case 'While':
    case 'Function':
    case 'Coproc':
      return () => hidden;
    default:
      return () => place;
  }
}

function toPipePlace(
  prefixes: readonly { readonly type: string }[],
  length: number,
  place: Place,
  { pipefail }: ShellOptions,
): (n: number) => Place {
  const isNegated = prefixes.some((prefix) => prefix.type === 'Negation');
  return (child) => {
    const n = child - prefixes.length;
    const isHidden = isNegated || (n < length - 1 && !pipefail);
    return { hidden: place.hidden || isHidden, piped: place.piped || n > 0 };
  };
}
