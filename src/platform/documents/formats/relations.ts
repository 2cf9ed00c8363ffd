import { posix } from 'node:path';
import { readXml } from '../read-xml';
import type { Unzip } from '../unzip';

/** A relation of a part to another one of the same file. */
export interface Relation {
  readonly type: string;
  /** Path in the file. */
  readonly target: string;
}

/** Reads the relations of a part (OPC, ECMA-376 part 2) by their ids. @throws DocumentUnread */
export async function readRelations(zip: Unzip, part: string): Promise<ReadonlyMap<string, Relation>> {
  const relations = new Map<string, Relation>();
  const folder = posix.dirname(part);
  const member = zip.find(`${folder}/_rels/${posix.basename(part)}.rels`);
  if (!member) return relations;
  await readXml(zip.stream(member), {
    open(name, { Id, Type = '', Target, TargetMode }) {
      if (name !== 'Relationship' || Id === undefined || Target === undefined || TargetMode === 'External')
        return;
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      relations.set(Id, { type: Type, target });
    },
  });
  return relations;
}

/** Targets of the relations of a type. */
export const targetsOf = (relations: ReadonlyMap<string, Relation>, type: RegExp): string[] =>
  [...relations.values()].filter((relation) => type.test(relation.type)).map(({ target }) => target);
