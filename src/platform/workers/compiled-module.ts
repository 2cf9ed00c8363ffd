import { sep } from 'node:path';

/** The file of a module for a thread. Threads load JavaScript: under a TypeScript test runner it is the compiled twin in `dist`. */
export function compiledModule(module: string): string {
  if (!module.endsWith('.ts')) return module;
  const marker = `${sep}src${sep}`;
  const at = module.lastIndexOf(marker);
  return `${module.slice(0, at)}${sep}dist${marker}${module.slice(at + marker.length, -3)}.js`;
}
