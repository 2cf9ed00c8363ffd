import type { OpenAPIObject } from '@nestjs/swagger';
import type { OperationObject } from '../../platform/openapi/operation';
import { faultsOfPathParameters } from './path-parameters';

const operation = (operationId: string, name: string, description?: string): OperationObject => ({
  operationId,
  parameters: [{ name, in: 'path', required: true, schema: { type: 'string' }, description }],
  responses: {},
});

const document = (paths: OpenAPIObject['paths']): OpenAPIObject => ({
  openapi: '3.0.0',
  info: { title: 'Test', version: '1' },
  paths,
});

describe(faultsOfPathParameters.name, () => {
  it('should find none where parameters have a description and one name', () => {
    const get = operation('searches.get', 'searchId', 'A saved search.');
    const put = operation('searches.update', 'searchId', 'A saved search.');
    expect(faultsOfPathParameters(document({ '/searches/{searchId}': { get, put } }))).toEqual([]);
  });

  it('should name a parameter without a description, and where to write it', () => {
    const get = operation('searches.get', 'searchId');
    expect(faultsOfPathParameters(document({ '/searches/{searchId}': { get } }))).toEqual([
      expect.stringMatching(/^searches\.get \(GET .*: the parameter :searchId .*src\/api-texts\.ts/),
    ]);
  });

  it('should name both routes that call one part of a path differently', () => {
    const put = operation('searches.update', 'searchId', 'A saved search.');
    const get = operation('searches.get', 'id', 'A saved search.');
    const paths = { '/searches/{searchId}': { put }, '/searches/{id}': { get } };
    expect(faultsOfPathParameters(document(paths))).toEqual([
      'searches.get (GET /searches/{id}): name its path parameters in its controller as searches.update (PUT /searches/{searchId}) does.',
    ]);
  });
});
