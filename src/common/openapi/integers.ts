import type { OpenAPIObject } from '@nestjs/swagger';

/**
 * TypeScript knows only numbers, this service counts: what is not declared with `format: 'double'` is an integer.
 * Changes the document in place.
 */
export function countInIntegers(document: OpenAPIObject): void {
  walk(document.components?.schemas);
  walk(document.paths);
}

function walk(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as { type?: unknown; format?: unknown };
  if (schema.type === 'number' && schema.format !== 'double') schema.type = 'integer';
  for (const [name, child] of Object.entries(node))
    if (name !== 'example' && name !== 'examples') walk(child);
}
