import { BackupError } from './backup.errors';

/** A foreign key: rows of `table` refer to rows of `target`. */
export interface Reference {
  readonly table: string;
  readonly target: string;
}

/** Sorts tables so that referenced rows are loaded first; otherwise keeps their order. */
export function loadOrder(tables: readonly string[], references: readonly Reference[]): string[] {
  const ordered = new Set<string>();
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const ready = [...waiting].filter((table) =>
      references.every(
        (reference) =>
          reference.table !== table || reference.target === table || !waiting.has(reference.target),
      ),
    );
    if (ready.length === 0) throw new BackupError(`Tables refer to each other: ${[...waiting].join(', ')}.`);
    for (const table of ready) {
      ordered.add(table);
      waiting.delete(table);
    }
  }
  return [...ordered];
}
