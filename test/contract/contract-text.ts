import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the contract lies beside the repository; it is no part of it. */
const FOLDER = join(__dirname, '../../../shared/spec');

const METHOD = /(?<method>GET|POST|PUT|PATCH|DELETE)/.source;
/** `- GET /config.` below a heading with a prefix; several on a line for labels. */
const LISTED = new RegExp(`(?:^- |\\. )${METHOD} (?<path>/[\\w/:-]*)`, 'gm');
const QUOTED = new RegExp(`\`${METHOD} (?<path>/[\\w/:-]*)`, 'g');
/** Whatever the heading: `prefix /api/privacy`. */
const PREFIX = /\(prefix (?<prefix>\/[\w/-]+)/;

const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

export const hasContract = (): boolean => existsSync(join(FOLDER, 'service-contract.md'));

const trimmed = (path: string): string => (path === '/' ? '' : path.replace(/\/$/, ''));

/** Routes the contract lists under its endpoints, and those its decisions quote. */
export function writtenRoutes(): string[] {
  const endpoints = read('service-contract.md').split('\n## Endpoints\n')[1]!.split('\n## ')[0]!;
  const found = endpoints.split('\n### ').flatMap((section) => {
    const prefix = PREFIX.exec(section.split('\n')[0]!)?.groups?.['prefix'] ?? '';
    return [...section.matchAll(LISTED)].map(({ groups }) => {
      const { method, path } = groups as { method: string; path: string };
      return `${method} ${path.startsWith('/api/') ? path : prefix + trimmed(path)}`;
    });
  });
  const decided = [...read('contract-decisions.md').matchAll(QUOTED)].map(({ groups }) => {
    const { method, path } = groups as { method: string; path: string };
    return `${method} ${path}`;
  });
  return [...new Set([...found, ...decided])].filter((route) => route.includes(' /api/'));
}

/** Routes the contract's sentences speak of, with the status they answer, where they say one beside the route. */
export function writtenStatuses(): { route: string; status: number }[] {
  const endpoints = read('service-contract.md').split('\n## Endpoints\n')[1]!.split('\n## ')[0]!;
  return endpoints.split('\n### ').flatMap((section) => {
    const prefix = PREFIX.exec(section.split('\n')[0]!)?.groups?.['prefix'] ?? '';
    return section.split('\n').flatMap((line) => {
      const routes = [...line.matchAll(LISTED)];
      const status = /(?<!\d)(20[0-4])(?=[\s:.{]|$)/.exec(line)?.[1];
      if (routes.length !== 1 || !status) return [];
      const { method, path } = routes[0]!.groups as { method: string; path: string };
      const full = path.startsWith('/api/') ? path : prefix + trimmed(path);
      return [{ route: `${method} ${full}`, status: Number(status) }];
    });
  });
}
