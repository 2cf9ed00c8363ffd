import { getMetadataStorage } from 'class-validator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import './app.module';

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** The validation rules of all bodies and queries, by class. */
const rules = (
  getMetadataStorage() as unknown as {
    validationMetadatas: Map<
      { readonly name: string },
      readonly { readonly propertyName: string; readonly name?: string }[]
    >;
  }
).validationMetadatas;

describe('fields that may be left out', () => {
  const { schemas } = (
    JSON.parse(readFileSync(join(__dirname, '../openapi.json'), 'utf8')) as {
      components: { schemas: Record<string, Schema> };
    }
  ).components;
  const optional = [...rules].flatMap(([target, metadata]) =>
    metadata
      .filter(({ name }) => name === 'isOptional')
      .map(({ propertyName }): [string, string] => [target.name, propertyName]),
  );

  it('should be listed', () => {
    expect(optional.length).toBeGreaterThan(100);
  });

  it('should not be required by the document, which would force clients to send them', () => {
    const wrong = optional.filter(([schema, field]) => schemas[schema]?.required?.includes(field));
    expect(wrong).toEqual([]);
  });
});
