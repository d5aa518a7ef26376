/**
 * The values of a key in an object node. More than one when the key is written twice, which JSON allows; none when the
 * node is no object.
 */
import type { Node } from 'jsonc-parser';

export function findMembers(node: Node | undefined, key: string): Node[] {
  if (node?.type !== 'object') return [];
  const properties = (node.children ?? []).filter((property) => property.children?.[0]?.value === key);
  return properties.flatMap((property) => property.children?.[1] ?? []);
}
