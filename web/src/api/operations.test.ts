import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
const DOCUMENT = join(import.meta.dirname, '../../../openapi.json');

interface Operation {
  readonly operationId: string;
  /** The reason of `@NotInWebClient()`. */
  readonly 'x-not-in-web-client'?: string;
}

const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(join(SOURCES, file), 'utf8'));

const isUsed = ({ operationId }: Operation): boolean =>
  sources.some(
    (source) => source.includes(`'${operationId}'`) || source.includes(`mailroom.${operationId}(`),
  );

describe('the operations of the interface', () => {
  it('should all be used by a page, or say why not', () => {
    const missing = operations.filter((operation) => !operation['x-not-in-web-client'] && !isUsed(operation));
    expect(
      missing.map(
        ({ operationId }) =>
          `${operationId}: use it in a page, or say why not with @NotInWebClient at its route, then npm run openapi`,
      ),
    ).toEqual([]);
  });

  it('should say that no page uses them only while that is true', () => {
    const excused = operations.filter((operation) => operation['x-not-in-web-client']);
    expect(excused.length).toBeGreaterThan(0);
    expect(
      excused
        .filter(isUsed)
        .map(
          ({ operationId }) =>
            `${operationId}: a page uses it, so remove @NotInWebClient at its route, then npm run openapi`,
        ),
    ).toEqual([]);
  });
});
